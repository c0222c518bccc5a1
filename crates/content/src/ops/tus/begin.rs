//! `POST /uploads/tus`: creates a resumable upload for an announced file.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use httpkit::ApiResult;
use kernel::{Problem, ResumableId};
use storage::Progress;

use super::append_session::{self, Ack, Chunk};
use super::metadata::Metadata;
use super::{
    CHUNK_TYPE, ResumableUpload, UPLOAD_LENGTH, parse_number, resumable_address, set_offset_headers,
};
use crate::quota::check_quota;
use crate::store::resumable::Resumable;
use crate::store::upload::{Target, Upload};
use crate::tus_error::TusError;
use crate::upload::address::{check_right, pending_upload};
use crate::upload::publish::source_key;
use crate::upload::reject::reject_and_free;
use crate::upload::release::discard_staged;
use crate::upload_slots::Preemption;
use crate::{Content, Error, store};

const UPLOAD_DEFER_LENGTH: HeaderName = HeaderName::from_static("upload-defer-length");

/// Create a resumable upload
///
/// Starts an announced file from its first byte; an earlier resumable upload for the same address is
/// discarded. The ingest address authorizes the request, as base64 under the key `ingest` in Upload-Metadata.
/// Upload-Length must be the declared size. The request may contain the first chunk.
#[utoipa::path(post, path = "/uploads/tus", tag = "content",
    request_body(content = String, content_type = "application/offset+octet-stream", description = "Nothing, or the first chunk."),
    responses(
    (status = 201, description = "Location, Upload-Expires, and Upload-Offset if the request contained a chunk"),
    (status = 400, body = Problem), (status = 402, body = Problem), (status = 403, body = Problem),
    (status = 409, body = Problem), (status = 412, body = Problem), (status = 413, body = Problem),
    (status = 423, body = Problem), (status = 503, body = Problem), (status = 507, body = Problem),
))]
pub async fn begin_resumable(
    State(content): State<Content>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let found = begin(&content, &headers).await?;
    let location = resumable_address(&content, found.resumable.uid);
    let mut response = StatusCode::CREATED.into_response();
    if headers.get(CONTENT_TYPE).is_some_and(|value| value == CHUNK_TYPE) {
        let chunk = Chunk::read(&headers, 0, body).map_err(Error::from)?;
        let ack = first_chunk(&content, found, chunk).await?;
        set_offset_headers(response.headers_mut(), ack.offset, ack.expires_at);
    } else {
        set_offset_headers(response.headers_mut(), 0, found.resumable.expires_at);
        response.headers_mut().remove(super::UPLOAD_OFFSET);
    }
    let location = HeaderValue::from_str(&location).map_err(|error| httpkit::unexpected(&error))?;
    response.headers_mut().insert(LOCATION, location);
    Ok(response)
}

async fn begin(content: &Content, headers: &HeaderMap) -> Result<ResumableUpload, Error> {
    if headers.contains_key(UPLOAD_DEFER_LENGTH) {
        return Err(TusError::Header(UPLOAD_DEFER_LENGTH).into());
    }
    let length = parse_number(headers, &UPLOAD_LENGTH)?;
    let metadata = Metadata::read(headers)?;
    let upload = pending_upload(content, &metadata.token).await?;
    let Target::Content(id) = upload.target else { return Err(TusError::Image.into()) };
    if length > content.settings.file_max_bytes {
        return Err(Error::FileTooLarge);
    }
    if length == 0 || upload.file.size.is_some_and(|announced| announced != length) {
        return Err(TusError::Length.into());
    }
    if let Err(error) = check_right(content, content.db.read(), &upload).await {
        return Err(reject_and_free(content, upload.uid, error.into()).await);
    }
    content.storage.check_space(length)?;
    // A sender that starts again has given up on the earlier request.
    if content.upload_slots.preempt(upload.uid).await == Preemption::Busy {
        return Err(TusError::Locked.into());
    }
    let resumable = Resumable {
        uid: content.ambient.uid(),
        upload: upload.uid,
        offset: 0,
        length,
        metadata: metadata.others,
        expires_at: upload.expires_at,
    };
    let progress = Progress::new(&source_key(&upload, id)?);
    if let Some((uid, progress)) = replace_resumable(content, &upload, &resumable, &progress).await? {
        discard_staged(content, uid, progress).await;
    }
    Ok(ResumableUpload { resumable, upload })
}

/// Stores the new upload in place of an earlier one for the same file, and returns that one.
async fn replace_resumable(
    content: &Content,
    upload: &Upload,
    new: &Resumable,
    progress: &Progress,
) -> Result<Option<(ResumableId, Option<Progress>)>, Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let tx = content.db.write_tx_on(org).await?;
    if upload.file.size.is_none() {
        // Announced without a size: its space is reserved from now on.
        check_quota(content, &tx, org, new.length, new.length).await?;
        store::upload::set_size(&tx, upload.uid, new.length).await?;
    }
    let before = store::resumable::of_upload(&tx, upload.uid).await?;
    if let Some((uid, _)) = &before {
        store::resumable::remove(&tx, *uid).await?;
    }
    store::resumable::insert(&tx, new, progress, content.ambient.now()).await?;
    tx.commit().await?;
    Ok(before)
}

/// Receives the chunk of the creation request. If it was interrupted, the response still states the offset,
/// from which the sender continues.
async fn first_chunk(content: &Content, found: ResumableUpload, chunk: Chunk) -> Result<Ack, Error> {
    let (uid, expires_at) = (found.resumable.uid, found.resumable.expires_at);
    match append_session::append(content, found, chunk).await {
        Err(
            Error::BrokenOff(_) | Error::Tus(TusError::Locked | TusError::NoSlot(_) | TusError::Checksum),
        ) => {
            let row = store::resumable::by_uid(content.db.read(), uid).await?;
            Ok(row.map_or(Ack { offset: 0, expires_at }, |row| Ack {
                offset: row.offset,
                expires_at: row.expires_at,
            }))
        }
        done => done,
    }
}
