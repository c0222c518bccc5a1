//! `GET /invites/{code}`: an invitation, which the invited person accepts by reading it.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Caller;
use kernel::{Problem, Uuid};
use serde::Serialize;

use crate::Orgs;

/// The state of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum InviteStatus {
    /// It was not accepted yet.
    Pending,
    /// It was accepted.
    Active,
}

/// An invitation, as anyone with its code sees it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteOut {
    /// The address it was sent to. Only the person with this address can accept it.
    user_email: String,
    status: InviteStatus,
    org_id: Uuid,
}

/// Read and accept an invitation
///
/// The call accepts the invitation if it was sent to the caller; for others it stays as it is. Calling it again
/// gives the same answer.
#[utoipa::path(get, path = "/invites/{code}", tag = "orgs", params(("code" = String, Path)), responses(
    (status = 200, body = InviteOut), (status = 401, body = Problem), (status = 402, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_invite(
    State(orgs): State<Orgs>,
    caller: Caller,
    Path(code): Path<String>,
) -> ApiResult<Json<InviteOut>> {
    let invite = orgs.answer_invite(caller, &code).await?;
    let status = if invite.accepted_at.is_some() { InviteStatus::Active } else { InviteStatus::Pending };
    Ok(Json(InviteOut { user_email: invite.email, status, org_id: invite.org.into() }))
}
