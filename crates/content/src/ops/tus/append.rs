//! `PATCH /uploads/tus/{id}`: the next chunk.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use httpkit::{ApiResult, Path};
use kernel::Problem;

use super::append_session::{self, Chunk};
use super::{CHUNK_TYPE, UPLOAD_OFFSET, find_resumable, parse_number, set_offset_headers};
use crate::tus_error::TusError;
use crate::{Content, Error};

/// Append a chunk
///
/// The chunk must begin at Upload-Offset. Acknowledged bytes survive a crash. The last chunk completes the
/// upload: it is available if this answers 204, and rejected if it answers with the reason.
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
    Ok(append_chunk(&content, &id, &headers, body).await?)
}

pub async fn append_chunk(
    content: &Content,
    id: &str,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, Error> {
    if headers.get(CONTENT_TYPE).is_none_or(|value| value != CHUNK_TYPE) {
        return Err(TusError::ChunkType.into());
    }
    let chunk = Chunk::read(headers, parse_number(headers, &UPLOAD_OFFSET)?, body)?;
    let found = find_resumable(content, id).await?;
    let ack = append_session::append(content, found, chunk).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    set_offset_headers(response.headers_mut(), ack.offset, ack.expires_at);
    Ok(response)
}
