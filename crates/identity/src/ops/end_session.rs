//! `DELETE /auth/sessions/{uid}`: ends one of the caller's sessions.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use kernel::{Problem, SessionId};

use crate::{Caller, Identity, store};

/// End one of your sessions
///
/// Its access token stops working immediately.
#[utoipa::path(delete, path = "/auth/sessions/{uid}", tag = "identity", params(("uid" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn end_session(
    State(identity): State<Identity>,
    caller: Caller,
    Path(uid): Path<SessionId>,
) -> ApiResult<StatusCode> {
    let tx = identity.db.write_tx().await?;
    let ended = store::session::end_own(&tx, uid, caller.person(), identity.ambient.now()).await?;
    tx.commit().await?;
    if ended { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::not_found("Session").into()) }
}
