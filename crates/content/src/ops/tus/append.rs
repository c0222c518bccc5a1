//! `PATCH /uploads/tus/{id}`: the next chunk.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use httpkit::{Path, Reply};
use kernel::Problem;

use super::feed::{self, Sent};
use super::{PIECE_TYPE, UPLOAD_OFFSET, Wrong, find, number, tell};
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
    State(room): State<Content>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Reply<Response> {
    Ok(append(&room, &id, &headers, body).await?)
}

pub async fn append(room: &Content, id: &str, headers: &HeaderMap, body: Body) -> Result<Response, Error> {
    if headers.get(CONTENT_TYPE).is_none_or(|value| value != PIECE_TYPE) {
        return Err(Wrong::PieceType.into());
    }
    let sent = Sent::read(headers, number(headers, &UPLOAD_OFFSET)?, body)?;
    let found = find(room, id).await?;
    let kept = feed::append(room, found, sent).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    tell(response.headers_mut(), kept.offset, kept.expires_at);
    Ok(response)
}
