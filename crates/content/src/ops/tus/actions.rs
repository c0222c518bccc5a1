//! What a request to a resumable upload does, whether its own method or X-HTTP-Method-Override names it.

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::append_session::{self, Chunk};
use super::metadata::Metadata;
use super::{
    CHUNK_TYPE, UPLOAD_LENGTH, UPLOAD_METADATA, UPLOAD_OFFSET, find_resumable, header_value, parse_number,
    set_offset_headers,
};
use crate::tus_error::TusError;
use crate::upload::address::ingest_address;
use crate::upload::release;
use crate::upload_slots::Preemption;
use crate::{Content, Error, store};

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

pub async fn cancel(content: &Content, id: &str) -> Result<Response, Error> {
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
