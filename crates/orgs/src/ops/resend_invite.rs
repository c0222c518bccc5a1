//! `POST /organizations/{id}/invites/{uid}/resend`: sending an invitation again.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{InviteId, OrgId, Problem, Uuid};
use serde::Serialize;

use crate::rights::GiveRoles;
use crate::{Error, Orgs};

/// The invitation that was sent.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ResentInviteOut {
    /// The id of the new invitation.
    uid: Uuid,
}

/// Send an invitation again
///
/// It gets a new id, a new link and seven more days; the old link no longer works.
#[utoipa::path(post, path = "/organizations/{id}/invites/{uid}/resend", tag = "orgs",
    params(("id" = Uuid, Path), ("uid" = Uuid, Path)), responses(
    (status = 200, body = ResentInviteOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 402, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 429, body = Problem),
))]
pub async fn resend_invite(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path((id, uid)): Path<(OrgId, InviteId)>,
) -> ApiResult<Json<ResentInviteOut>> {
    let uid = resend(&orgs, &bearer, id, uid).await?;
    Ok(Json(ResentInviteOut { uid: uid.into() }))
}

async fn resend(orgs: &Orgs, bearer: &Bearer, org: OrgId, uid: InviteId) -> Result<InviteId, Error> {
    let tx = orgs.db.write_tx_on(org).await?;
    let scope = orgs.enter_in::<GiveRoles>(&tx, bearer, org).await?;
    let uid = orgs.resend_invite(&scope, uid).await?;
    tx.commit().await?;
    Ok(uid)
}
