//! `PATCH /uploads/tus/{id}`: the next chunk.

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use httpkit::{ApiResult, Path};
use kernel::Problem;

use super::actions;
use crate::Content;

/// Append a chunk
///
/// The chunk must begin at Upload-Offset. Acknowledged bytes survive a crash. The last chunk completes the
/// upload: 204 means that it is available; otherwise the response says why it was rejected.
#[utoipa::path(patch, path = "/uploads/tus/{id}", tag = "content", params(("id" = String, Path)),
    request_body(content = String, content_type = "application/offset+octet-stream", description = "The chunk."),
    responses(
    (status = 204, description = "Upload-Offset, Upload-Expires"), (status = 400, body = Problem),
    (status = 402, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 408, body = Problem), (status = 409, body = Problem), (status = 410, body = Problem),
    (status = 412, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
    (status = 423, body = Problem), (status = 429, body = Problem), (status = 460, body = Problem),
    (status = 503, body = Problem), (status = 507, body = Problem),
))]
pub async fn append_resumable(
    State(content): State<Content>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    Ok(actions::append_chunk(&content, &id, &headers, body).await?)
}
