//! `PUT /ingest/{token}`: the raw bytes of an announced file.
//!
//! The address is the only credential. Bytes are counted, hashed and sniffed while they stream to the disk. A
//! complete request that differs from what was announced ends the upload; an interrupted one leaves it
//! pending for another attempt.

mod content_file;
mod image;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use bytes::Bytes;
use futures::{Stream, StreamExt as _};
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use httpkit::{ApiResult, Path};
use kernel::{HOUR, MINUTE, Millis, Problem, Uid};
use media::Sniffed;
use storage::{Key, ReceiveError, Staged};
use tracing::Instrument as _;

use crate::dto::UploadOut;
use crate::error::MismatchError;
use crate::model::{UNKNOWN_TYPE, UploadStatus, same_type};
use crate::store::upload::{ReceivedFile, Target, Upload};
use crate::upload::address::{check_right, pending_upload, still_pending};
use crate::upload::reject::reject_and_free;
use crate::upload::stall::abort_if_stalled;
use crate::upload::verify::verify;
use crate::upload_slots::{RETRY_SECONDS, UploadPermit};
use crate::{Content, Error, store};

/// How long an upload stays pending after it was announced, and after each extension while bytes arrive.
const LIFETIME: Millis = HOUR;
/// Minimum time between two extensions.
const EXTEND_EVERY: Millis = 5 * MINUTE;

/// Upload an announced file
///
/// Answers once the bytes are stored, verified and available. If the file was uploaded before, the answer is
/// 409 `already_available`. A request that is still sending this file ends when a new one begins.
#[utoipa::path(put, path = "/ingest/{token}", tag = "content", params(("token" = String, Path)),
    request_body(content = String, content_type = "application/octet-stream", description = "The raw bytes."),
    responses(
    (status = 200, body = UploadOut), (status = 400, body = Problem), (status = 403, body = Problem),
    (status = 408, body = Problem), (status = 409, body = Problem), (status = 413, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem), (status = 507, body = Problem),
))]
pub async fn ingest_file(
    State(content): State<Content>,
    Path(token): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Json<UploadOut>> {
    let mut upload = pending_upload(&content, &token).await?;
    // A sender that starts again has given up on the earlier request, whose broken connection may not be
    // noticed yet.
    if content.upload_slots.is_receiving(upload.uid) {
        // A request that cannot be this file must not end one that may be.
        declared(&content, &upload, &headers)?;
        content.upload_slots.preempt(upload.uid).await;
        upload = pending_upload(&content, &token).await?;
    }
    let permit = content.upload_slots.acquire_preemptible(upload.uid, upload.person, upload.org);
    let permit = permit.map_err(|_| Problem::too_many(RETRY_SECONDS))?;
    let task = {
        let content = content.clone();
        async move { ingest(&content, upload, &headers, body, &permit).await }
    };
    // When the client disconnects, the request is dropped; a file that was received completely is published
    // all the same.
    let done = tokio::spawn(task.in_current_span()).await;
    let done = done.unwrap_or_else(|error| Err(Error::Storage(error.into())))?;
    Ok(Json(UploadOut::of(&done, &content)))
}

async fn ingest(
    content: &Content,
    upload: Upload,
    headers: &HeaderMap,
    body: Body,
    permit: &UploadPermit,
) -> Result<Upload, Error> {
    let mut received_file = ReceivedFile::default();
    match ingest_target(content, &upload, headers, body, permit, &mut received_file).await {
        Ok(()) => Ok(Upload { status: UploadStatus::Available, ..upload }),
        // It may have been asked to yield because the upload was cancelled.
        Err(error @ Error::BrokenOff(_)) => {
            Err(still_pending(content, upload.uid).await.err().unwrap_or(error))
        }
        Err(error) => {
            reject_and_free(content, upload.uid, &error, &received_file).await?;
            Err(error)
        }
    }
}

async fn ingest_target(
    content: &Content,
    upload: &Upload,
    headers: &HeaderMap,
    body: Body,
    permit: &UploadPermit,
    received_file: &mut ReceivedFile,
) -> Result<(), Error> {
    // Checked again at the end, but someone without the right should not have to send gigabytes to find out.
    check_right(content, content.db.read(), upload).await?;
    match &upload.target {
        Target::Content(uid) => {
            content_file::ingest(content, upload, *uid, headers, body, permit, received_file).await
        }
        Target::Image(name) => {
            image::ingest(content, upload, name, headers, body, permit, received_file).await
        }
    }
}

/// A staged file whose bytes are what was announced; not visible yet.
struct VerifiedFile {
    staged: Staged,
    mime: String,
    sniffed: Sniffed,
}

/// Receives the body and checks it against what was announced.
async fn receive(
    content: &Content,
    upload: &Upload,
    key: &Key,
    headers: &HeaderMap,
    stream: impl Stream<Item = Result<Bytes, axum::Error>> + Send,
    permit: &UploadPermit,
    received_file: &mut ReceivedFile,
) -> Result<VerifiedFile, Error> {
    let (mime, len) = declared(content, upload, headers)?;
    content.storage.check_space(len)?;
    let stream = extending(abort_if_stalled(stream, &content.settings), content, upload);
    let staged = tokio::select! {
        biased;
        () = permit.cancelled() => return Err(Error::BrokenOff("another request took its place".to_owned())),
        staged = content.storage.receive(key, len, stream) => staged,
    };
    let staged = staged.map_err(|error| match error {
        ReceiveError::TooShort { got, .. } => {
            received_file.size = got;
            Error::Mismatch(MismatchError::Length)
        }
        ReceiveError::TooLong { .. } => Error::TooManyBytes,
        ReceiveError::Broken(cause) => Error::BrokenOff(cause),
        ReceiveError::Storage(error) => Error::Storage(error),
    })?;
    let sniffed = verify(upload, staged.received(), &mime, received_file)?;
    Ok(VerifiedFile { staged, mime, sniffed })
}

/// Returns the type and the length that a request declares, if they match the announcement.
fn declared(content: &Content, upload: &Upload, headers: &HeaderMap) -> Result<(String, u64), Error> {
    let sent_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or(UNKNOWN_TYPE);
    let mime = upload.file.mime.clone().unwrap_or_else(|| sent_type.to_ascii_lowercase());
    if !same_type(sent_type, &mime) {
        return Err(Error::Mismatch(MismatchError::Type));
    }
    Ok((mime, announced_length(content, upload, headers)?))
}

/// Returns the expected number of bytes: as announced, or, if the size was left out, as the request declares.
fn announced_length(content: &Content, upload: &Upload, headers: &HeaderMap) -> Result<u64, Error> {
    let header = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let sent: Option<u64> = header.and_then(|text| text.parse().ok());
    let len = upload.file.size.or(sent).ok_or(Error::Mismatch(MismatchError::Length))?;
    if len > content.settings.file_max_bytes {
        return Err(Error::FileTooLarge);
    }
    match sent {
        Some(sent) if sent > len => Err(Error::TooManyBytes),
        Some(sent) if sent < len => Err(Error::Mismatch(MismatchError::Length)),
        _ if len == 0 => Err(Error::Mismatch(MismatchError::Length)),
        _ => Ok(len),
    }
}

/// Wraps the stream to extend the upload while bytes arrive, so that a slow file does not lose its draft. The
/// stream fails if the upload has ended.
fn extending(
    stream: impl Stream<Item = Result<Bytes, String>> + Send,
    content: &Content,
    upload: &Upload,
) -> impl Stream<Item = Result<Bytes, String>> + Send {
    let (content, uid, extended_at) = (content.clone(), upload.uid, upload.expires_at - LIFETIME);
    futures::stream::unfold((Box::pin(stream), extended_at), move |(mut stream, last)| {
        let content = content.clone();
        async move {
            let frame = stream.next().await?;
            let now = content.ambient.now();
            if frame.is_err() || now < last + EXTEND_EVERY {
                return Some((frame, (stream, last)));
            }
            match extend(&content, uid, now + LIFETIME).await {
                Ok(true) => Some((frame, (stream, now))),
                Ok(false) => Some((Err("the upload has ended".to_owned()), (stream, now))),
                // A short outage of the database must not end a long upload.
                Err(error) => {
                    tracing::warn!(%error, upload = %uid, "an upload could not be extended");
                    Some((frame, (stream, last)))
                }
            }
        }
    })
}

async fn extend(content: &Content, uid: Uid, expires_at: Millis) -> Result<bool, sea_orm::DbErr> {
    let tx = content.db.write_tx().await?;
    let is_pending = store::upload::extend(&tx, uid, expires_at).await?;
    tx.commit().await?;
    Ok(is_pending)
}
