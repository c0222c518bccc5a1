//! `DELETE /organizations/{id}/invites/{uid}`: revoking an invitation.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{InviteId, OrgId, Problem};

use crate::rights::TakeRoles;
use crate::{Error, Orgs};

/// Revoke an invitation
///
/// Invalidates the invitation's link. Allowed in every plan state.
#[utoipa::path(delete, path = "/organizations/{id}/invites/{uid}", tag = "orgs",
    params(("id" = Uuid, Path), ("uid" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn revoke_invite(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path((id, uid)): Path<(OrgId, InviteId)>,
) -> ApiResult<StatusCode> {
    revoke(&orgs, &bearer, id, uid).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn revoke(orgs: &Orgs, bearer: &Bearer, org: OrgId, uid: InviteId) -> Result<(), Error> {
    let tx = orgs.db.write_tx_on(org).await?;
    let scope = orgs.enter_in::<TakeRoles>(&tx, bearer, org).await?;
    orgs.revoke_invite(&scope, uid).await?;
    tx.commit().await?;
    Ok(())
}
