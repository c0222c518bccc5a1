//! `HEAD /uploads/tus/{id}`: the offset of a resumable upload.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};
use httpkit::{ApiResult, Path};
use kernel::Problem;

use super::metadata::Metadata;
use super::{UPLOAD_LENGTH, UPLOAD_METADATA, find_resumable, header_value, set_offset_headers};
use crate::tus_error::TusError;
use crate::upload::address::ingest_address;
use crate::upload_slots::Preemption;
use crate::{Content, Error};

/// Get the upload offset
///
/// Returns how many bytes are stored safely. A request that is still sending is asked to keep what it has and
/// to yield.
#[utoipa::path(head, path = "/uploads/tus/{id}", tag = "content", params(("id" = String, Path)), responses(
    (status = 200, description = "Upload-Offset, Upload-Length, Upload-Expires, Upload-Metadata"),
    (status = 404, body = Problem), (status = 410, body = Problem), (status = 412, body = Problem),
    (status = 423, body = Problem),
))]
pub async fn read_resumable(State(content): State<Content>, Path(id): Path<String>) -> ApiResult<Response> {
    Ok(read_offset(&content, &id).await?)
}

pub async fn read_offset(content: &Content, id: &str) -> Result<Response, Error> {
    let mut found = find_resumable(content, id).await?;
    match content.upload_slots.preempt(found.upload.uid).await {
        Preemption::NoRequest => {}
        Preemption::Yielded => found = find_resumable(content, id).await?,
        Preemption::Busy => return Err(TusError::Locked.into()),
    }
    let mut response = StatusCode::OK.into_response();
    let headers = response.headers_mut();
    set_offset_headers(headers, found.resumable.offset, found.resumable.expires_at);
    headers.insert(UPLOAD_LENGTH, header_value(found.resumable.length));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let address = ingest_address(content, found.upload.uid);
    if let Some(metadata) = Metadata::header(&address, &found.resumable.metadata) {
        headers.insert(UPLOAD_METADATA, metadata);
    }
    Ok(response)
}
