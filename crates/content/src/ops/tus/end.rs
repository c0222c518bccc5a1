//! `DELETE /uploads/tus/{id}`: cancels a resumable upload.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use httpkit::{Path, Reply};
use kernel::Problem;

use super::{Wrong, find};
use crate::places::Cleared;
use crate::{Content, Error, release, store};

/// Cancel a resumable upload
///
/// Removes what was received and frees its space in the plan before it answers. A draft stays without a file
/// until it is deleted. Does the same as `DELETE /uploads/{uid}`, but needs only this address.
#[utoipa::path(delete, path = "/uploads/tus/{id}", tag = "content", params(("id" = String, Path)), responses(
    (status = 204, description = "The upload was cancelled"), (status = 404, body = Problem), (status = 409, body = Problem),
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
