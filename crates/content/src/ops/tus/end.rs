//! `DELETE /uploads/tus/{id}`: cancels a resumable upload.

use axum::extract::State;
use axum::response::Response;
use httpkit::{ApiResult, Path};
use kernel::Problem;

use super::actions;
use crate::Content;

/// Cancel a resumable upload
///
/// Removes what was received and frees its space in the plan before the response is sent. A draft stays without a file
/// until it is deleted. Does the same as `DELETE /uploads/{uid}`, but needs only this address.
#[utoipa::path(delete, path = "/uploads/tus/{id}", tag = "content", params(("id" = String, Path)), responses(
    (status = 204, description = "The upload was cancelled"), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 410, body = Problem), (status = 412, body = Problem), (status = 423, body = Problem),
))]
pub async fn end_resumable(State(content): State<Content>, Path(id): Path<String>) -> ApiResult<Response> {
    Ok(actions::cancel(&content, &id).await?)
}
