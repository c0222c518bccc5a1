//! `HEAD /uploads/tus/{id}`: the offset of a resumable upload.

use axum::extract::State;
use axum::response::Response;
use httpkit::{ApiResult, Path};
use kernel::Problem;

use super::actions;
use crate::Content;

/// Get the upload offset
///
/// Returns how many bytes are stored safely. A request that is still sending saves what it received and
/// stops.
#[utoipa::path(head, path = "/uploads/tus/{id}", tag = "content", params(("id" = String, Path)), responses(
    (status = 200, description = "Upload-Offset, Upload-Length, Upload-Expires, Upload-Metadata"),
    (status = 404, body = Problem), (status = 410, body = Problem), (status = 412, body = Problem),
    (status = 423, body = Problem),
))]
pub async fn read_resumable(State(content): State<Content>, Path(id): Path<String>) -> ApiResult<Response> {
    Ok(actions::read_offset(&content, &id).await?)
}
