//! `POST /organizations/{id}/roles`: a role for a person, or an invitation for an address.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path, RawBody, read_json};
use identity::Bearer;
use kernel::{OrgId, PersonId, Problem, Uuid};
use serde::{Deserialize, Serialize};

use crate::rights::{GiveRoles, TakeRoles};
use crate::staff_error::StaffError;
use crate::{Error, Orgs, Role, roles};

/// Whom to give which role: exactly one of `userId` and `userEmail`.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GiveRoleIn {
    /// A person the organization knows.
    #[schema(value_type = Option<Uuid>)]
    user_id: Option<PersonId>,
    /// An address to invite.
    user_email: Option<String>,
    /// The new role. Invitations are to staff roles only.
    role: Role,
}

/// The membership, or the invitation that was sent.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GiveRoleOut {
    /// The id of the membership or of the invitation.
    uid: Uuid,
    /// The person's id; absent for an invitation.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<Uuid>,
    role: Role,
}

/// Give a person a role, or invite an address
///
/// You can give roles up to your own, to people whose role is not above yours. The role `user` ends staff access.
/// An invitation replaces an earlier one to the same address.
#[utoipa::path(post, path = "/organizations/{id}/roles", tag = "orgs", params(("id" = Uuid, Path)),
    request_body = GiveRoleIn, responses(
    (status = 200, body = GiveRoleOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 402, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 429, body = Problem),
))]
pub async fn give_role(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    RawBody(body): RawBody,
) -> ApiResult<Json<GiveRoleOut>> {
    // Without the right to manage roles, the caller does not even learn whether the body is valid.
    orgs.enter::<TakeRoles>(&bearer, id).await?;
    let input: GiveRoleIn = read_json(&body)?;
    let given = match (input.user_id, input.user_email) {
        (Some(person), None) => change(&orgs, &bearer, id, person, input.role).await?,
        (None, Some(email)) => invite(&orgs, &bearer, id, &email, input.role).await?,
        _ => return Err(Error::from(StaffError::PersonOrEmail).into()),
    };
    Ok(Json(given))
}

async fn change(
    orgs: &Orgs,
    bearer: &Bearer,
    org: OrgId,
    person: PersonId,
    role: Role,
) -> Result<GiveRoleOut, Error> {
    let tx = orgs.db.write_tx_on(org).await?;
    let scope = orgs.enter_in::<TakeRoles>(&tx, bearer, org).await?;
    let membership = roles::known(orgs.change_role(&scope, person, Some(role)).await?)?;
    tx.commit().await?;
    Ok(GiveRoleOut { uid: membership.uid.into(), user_id: Some(person.into()), role: membership.role })
}

async fn invite(
    orgs: &Orgs,
    bearer: &Bearer,
    org: OrgId,
    email: &str,
    role: Role,
) -> Result<GiveRoleOut, Error> {
    let tx = orgs.db.write_tx_on(org).await?;
    let scope = orgs.enter_in::<GiveRoles>(&tx, bearer, org).await?;
    let uid = orgs.invite(&scope, email, role).await?;
    tx.commit().await?;
    Ok(GiveRoleOut { uid: uid.into(), user_id: None, role })
}
