//! `PUT, DELETE /organizations/{id}/users/{userId}/block`: keeping a person from rejoining.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{OrgId, PersonId, Problem};

use crate::audit::{AuditAction, AuditRecord};
use crate::grant::GrantError;
use crate::rights::TakeRoles;
use crate::staff_error::StaffError;
use crate::{Error, Orgs, store};

/// Block a person
///
/// Removes the person, if still a member, and keeps the person from joining again by a link. An invitation or a role
/// lifts the block. Works whatever the organization's plan, for people whose role is not above yours.
#[utoipa::path(put, path = "/organizations/{id}/users/{userId}/block", tag = "orgs",
    params(("id" = Uuid, Path), ("userId" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn block_person(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path((id, person)): Path<(OrgId, PersonId)>,
) -> ApiResult<StatusCode> {
    set(&orgs, &bearer, id, person, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unblock a person
///
/// The person can join again by a link.
#[utoipa::path(delete, path = "/organizations/{id}/users/{userId}/block", tag = "orgs",
    params(("id" = Uuid, Path), ("userId" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn unblock_person(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path((id, person)): Path<(OrgId, PersonId)>,
) -> ApiResult<StatusCode> {
    set(&orgs, &bearer, id, person, false).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn set(
    orgs: &Orgs,
    bearer: &Bearer,
    org: OrgId,
    person: PersonId,
    is_blocked: bool,
) -> Result<(), Error> {
    let tx = orgs.db.write_tx_on(org).await?;
    let scope = orgs.enter_in::<TakeRoles>(&tx, bearer, org).await?;
    let was_blocked = store::people::blocked(&tx, org, person).await?;
    let was_blocked = was_blocked.ok_or(StaffError::Grant(GrantError::UnknownPerson))?;
    if is_blocked && store::membership::exists(&tx, org, person).await? {
        orgs.change_role(&scope, person, None).await?;
    }
    if is_blocked {
        let email = orgs.identity.people(&tx, &[person]).await?.pop().map(|found| found.email);
        orgs.revoke_invites_of(&scope, email.as_deref().unwrap_or_default()).await?;
    }
    if is_blocked != was_blocked {
        // The row may have gone with the membership.
        store::people::set_blocked(&tx, org, person, is_blocked.then(|| orgs.ambient.now())).await?;
        let action = if is_blocked { AuditAction::PersonBlocked } else { AuditAction::PersonUnblocked };
        orgs.record(&tx, AuditRecord::by(&scope, action, person)).await?;
    }
    tx.commit().await?;
    Ok(())
}
