//! `HEAD /uploads/tus/{id}`: the offset of a resumable upload.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};
use httpkit::{Path, Reply};
use kernel::Problem;

use super::metadata::Metadata;
use super::{UPLOAD_LENGTH, UPLOAD_METADATA, Wrong, amount, find, tell};
use crate::ops::create_upload::ingest_address;
use crate::places::Cleared;
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
pub async fn read_resumable(State(room): State<Content>, Path(id): Path<String>) -> Reply<Response> {
    Ok(read(&room, &id).await?)
}

pub async fn read(room: &Content, id: &str) -> Result<Response, Error> {
    let mut found = find(room, id).await?;
    match room.places.clear(found.upload.uid).await {
        Cleared::NobodyThere => {}
        Cleared::Left => found = find(room, id).await?,
        Cleared::Stayed => return Err(Wrong::Locked.into()),
    }
    let mut response = StatusCode::OK.into_response();
    let headers = response.headers_mut();
    tell(headers, found.resumable.arrived, found.resumable.expires_at);
    headers.insert(UPLOAD_LENGTH, amount(found.resumable.length));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let address = ingest_address(room, found.upload.uid);
    if let Some(metadata) = Metadata::header(&address, &found.resumable.metadata) {
        headers.insert(UPLOAD_METADATA, metadata);
    }
    Ok(response)
}
