//! `DELETE /uploads/tus/{id}`: cancels a resumable upload.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use httpkit::{ApiResult, Path};
use kernel::Problem;

use super::find_resumable;
use crate::tus_error::TusError;
use crate::upload::release;
use crate::upload_slots::Preemption;
use crate::{Content, Error, store};

/// Cancel a resumable upload
///
/// Removes what was received and frees its space in the plan before it answers. A draft stays without a file
/// until it is deleted. Does the same as `DELETE /uploads/{uid}`, but needs only this address.
#[utoipa::path(delete, path = "/uploads/tus/{id}", tag = "content", params(("id" = String, Path)), responses(
    (status = 204, description = "The upload was cancelled"), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 410, body = Problem), (status = 412, body = Problem), (status = 423, body = Problem),
))]
pub async fn end_resumable(State(content): State<Content>, Path(id): Path<String>) -> ApiResult<Response> {
    Ok(cancel_resumable(&content, &id).await?)
}

pub async fn cancel_resumable(content: &Content, id: &str) -> Result<Response, Error> {
    let found = find_resumable(content, id).await?;
    if content.upload_slots.preempt(found.upload.uid).await == Preemption::Busy {
        return Err(TusError::Locked.into());
    }
    release::cancel(content, found.upload.uid).await?;
    let tx = content.db.write_tx().await?;
    store::resumable::remove(&tx, found.resumable.uid).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
