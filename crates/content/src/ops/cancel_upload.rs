//! `DELETE /uploads/{uid}`: its sender no longer wants it.

use axum::extract::State;
use http::StatusCode;
use httpkit::{Path, Reply};
use identity::{Bearer, Caller};
use kernel::{Problem, Uid};
use orgs::rights::EditContent;

use crate::{Content, Error, release, store};

/// Cancels an upload that is still pending, however it is sent: a request in flight ends, what has arrived is
/// removed, and its space in the plan is free when this answers. Content that was available stays as it is; a
/// draft stays without a file until it is deleted. Repeating it does no harm.
#[utoipa::path(delete, path = "/uploads/{uid}", tag = "content", params(("uid" = Uuid, Path)), responses(
    (status = 204, description = "It is over; its `reason` is `cancelled`"), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn cancel_upload(
    State(room): State<Content>,
    caller: Caller,
    bearer: Bearer,
    Path(uid): Path<Uid>,
) -> Reply<StatusCode> {
    let upload = store::upload::by_uid(room.db.read(), uid).await?;
    let org = upload.as_ref().and_then(|upload| upload.org);
    let own = upload.as_ref().is_some_and(|upload| upload.org.is_none() && upload.person == caller.person());
    if !own {
        room.orgs.enter_for::<EditContent>(&bearer, org, "Upload").await.map_err(Error::from)?;
    }
    release::cancel(&room, uid).await?;
    Ok(StatusCode::NO_CONTENT)
}
