//! `DELETE /organizations/{id}/roles/{uid}`: removing a person.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{MembershipId, OrgId, Problem};

use crate::rights::TakeRoles;
use crate::{Error, Orgs, roles, store};

/// Remove a person from an organization
///
/// Works whatever the organization's plan, for people whose role is not above yours. To leave yourself, delete
/// `/organizations/{id}/users/me`.
#[utoipa::path(delete, path = "/organizations/{id}/roles/{uid}", tag = "orgs",
    params(("id" = Uuid, Path), ("uid" = Uuid, Path, description = "id of the membership")), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn remove_role(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path((id, uid)): Path<(OrgId, MembershipId)>,
) -> ApiResult<StatusCode> {
    remove(&orgs, &bearer, id, uid).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn remove(orgs: &Orgs, bearer: &Bearer, org: OrgId, uid: MembershipId) -> Result<(), Error> {
    let tx = orgs.db.write_tx_on(org).await?;
    let scope = orgs.enter_in::<TakeRoles>(&tx, bearer, org).await?;
    let membership = roles::known(store::membership::by_uid(&tx, org, uid).await?)?;
    orgs.change_role(&scope, membership.person, None).await?;
    tx.commit().await?;
    Ok(())
}
