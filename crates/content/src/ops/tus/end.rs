//! `DELETE /uploads/tus/{id}`: its sender no longer wants it.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use httpkit::{Path, Reply};
use kernel::Problem;

use super::begin::forget;
use super::{Wrong, find};
use crate::model::UploadStatus;
use crate::places::Cleared;
use crate::{Content, Error, store};

/// Why an upload ended that its sender gave up.
const CANCELLED: &str = "cancelled";

/// Ends the upload and removes what had come. Its room in the plan is free again; a draft goes with the next
/// clearing, or when it is deleted.
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
    let place = found.resumable.uid;
    let progress = store::resumable::progress(room.db.read(), place).await?;
    let (tx, now) = (room.db.write_tx().await?, room.ambient.now());
    if !store::upload::finish(&tx, found.upload.uid, UploadStatus::Rejected, Some(CANCELLED), None, now)
        .await?
    {
        return Err(Error::IngestUsed);
    }
    store::resumable::remove(&tx, place).await?;
    tx.commit().await?;
    forget(room, place, progress).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}
