//! `DELETE /uploads/tus/{id}`: its sender no longer wants it.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use httpkit::{Path, Reply};
use kernel::Problem;

use super::{Wrong, find};
use crate::places::Cleared;
use crate::{Content, Error, release, store};

/// Cancels the upload and removes what has arrived. Its space in the plan is free when this answers; a draft stays
/// without a file until it is deleted. The same as `DELETE /uploads/{uid}`, for whoever has the address alone.
#[utoipa::path(delete, path = "/uploads/tus/{id}", tag = "content", params(("id" = String, Path)), responses(
    (status = 204, description = "Gone"), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 410, body = Problem), (status = 412, body = Problem), (status = 423, body = Problem),
))]
pub async fn end_resumable(State(room): State<Content>, Path(id): Path<String>) -> Reply<Response> {
    Ok(end(&room, &id).await?)
}

pub async fn end(room: &Content, id: &str) -> Result<Response, Error> {
    let found = find(room, id).await?;
    if room.places.clear(found.upload.uid).await == Cleared::Stayed {
        return Err(Wrong::Locked.into());
    }
    release::cancel(room, found.upload.uid).await?;
    let tx = room.db.write_tx().await?;
    store::resumable::remove(&tx, found.resumable.uid).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
