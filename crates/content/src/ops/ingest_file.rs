//! `PUT /ingest/{token}`: the raw bytes of an announced file.
//!
//! The address is the only credential. Bytes are counted, hashed and sniffed while they stream to the disk. A
//! complete request that differs from what was announced ends the upload; an interrupted one leaves it
//! pending for another attempt.

pub mod content_file;
mod image;

pub use image::image_key;

use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use bytes::Bytes;
use db::WriteTx;
use futures::{Stream, StreamExt as _};
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use httpkit::{ApiError, ApiResult, Path};
use kernel::{DAY, HOUR, MINUTE, Millis, Problem, Uid};
use media::Sniffed;
use orgs::rights::EditContent;
use sea_orm::ConnectionTrait;
use storage::{Key, ReceiveError, Received, Staged};
use tracing::Instrument as _;

use crate::dto::UploadOut;
use crate::error::{ImageDecodeError, MismatchError};
use crate::model::{UNKNOWN_TYPE, UploadStatus, same_type};
use crate::ops::create_upload::{INGEST, upload_out};
use crate::store::upload::{ReceivedFile, Target, Upload};
use crate::upload_slots::UploadPermit;
use crate::{Content, ContentSettings, Error, release, store};

/// How long an upload stays pending after it was announced, and after each extension while bytes arrive.
const LIFETIME: Millis = HOUR;
/// Minimum time between two extensions.
const EXTEND_EVERY: Millis = 5 * MINUTE;

/// When to try again after no upload slot was free.
pub const RETRY_SECONDS: u32 = 5;

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
    Ok(Json(upload_out(&content, &done)))
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

/// Returns the upload of an ingest address, if it is still pending.
pub async fn pending_upload(content: &Content, token: &str) -> Result<Upload, Error> {
    let uid = content.signer.verify(INGEST, token).and_then(|bytes| Uid::from_slice(&bytes).ok());
    still_pending(content, uid.ok_or(Error::IngestExpired)?).await
}

/// Returns the upload, if it is still pending.
async fn still_pending(content: &Content, uid: Uid) -> Result<Upload, Error> {
    let upload = store::upload::by_uid(content.db.read(), uid).await?.ok_or(Error::IngestExpired)?;
    match upload.status {
        UploadStatus::Available => Err(Error::IngestUsed),
        UploadStatus::Rejected => Err(Error::IngestRejected),
        UploadStatus::Pending if content.ambient.now() >= upload.expires_at => Err(Error::IngestExpired),
        UploadStatus::Pending => Ok(upload),
    }
}

/// Returns the rejection reason if this error ends the upload; `None` if the same file may be sent again.
pub fn reject_reason(error: &Error) -> Option<&'static str> {
    match error {
        Error::Mismatch(mismatch) => Some(mismatch.code()),
        Error::TooManyBytes => Some("too_many_bytes"),
        Error::FileTooLarge => Some("file_too_large"),
        Error::QuotaExceeded => Some("quota_exceeded"),
        Error::NotAnImage => Some("not_an_image"),
        Error::Image(error) => Some(error.code()),
        Error::NotFound => Some(release::CONTENT_DELETED),
        Error::RightWithdrawn => Some("right_withdrawn"),
        _ => None,
    }
}

/// Returns the sentence for a stored rejection reason.
pub fn reject_message(reason: &str) -> Option<String> {
    let error = match reason {
        "length_mismatch" => Error::Mismatch(MismatchError::Length),
        "type_mismatch" => Error::Mismatch(MismatchError::Type),
        "checksum_mismatch" => Error::Mismatch(MismatchError::Checksum),
        "content_mismatch" => Error::Mismatch(MismatchError::Content),
        "too_many_bytes" => Error::TooManyBytes,
        "file_too_large" => Error::FileTooLarge,
        "quota_exceeded" => Error::QuotaExceeded,
        "not_an_image" => Error::NotAnImage,
        "image_too_many_pixels" => Error::Image(ImageDecodeError::TooManyPixels),
        "image_profile_too_large" => Error::Image(ImageDecodeError::LargeProfile),
        "image_too_complex" => Error::Image(ImageDecodeError::TooCostly),
        "right_withdrawn" => Error::RightWithdrawn,
        release::CONTENT_DELETED => return Some("The content was deleted during the upload.".to_owned()),
        release::ABANDONED => return Some("The upload was not finished in time.".to_owned()),
        release::CANCELLED => return Some("The upload was cancelled.".to_owned()),
        _ => return None,
    };
    Some(ApiError::from(error).0.message.into_owned())
}

/// Checks that the person who began an upload may still finish it: an organisation's file needs the right at
/// the end as well as at the beginning.
pub async fn check_right(
    content: &Content,
    conn: &impl ConnectionTrait,
    upload: &Upload,
) -> Result<(), Error> {
    match upload.org {
        Some(org) if !content.orgs.may::<EditContent>(conn, org, upload.person).await? => {
            Err(Error::RightWithdrawn)
        }
        _ => Ok(()),
    }
}

/// Ends an upload as available, in the transaction that publishes its bytes.
///
/// # Errors
/// Fails if another request for the same address ended it first, or if the right is gone.
async fn finish(
    content: &Content,
    tx: &WriteTx,
    upload: &Upload,
    received_file: &ReceivedFile,
) -> Result<(), Error> {
    let now = content.ambient.now();
    if !store::upload::finish(tx, upload.uid, UploadStatus::Available, None, Some(received_file), now).await?
    {
        return match store::upload::by_uid(tx, upload.uid).await? {
            Some(ended) if ended.status == UploadStatus::Available => Err(Error::IngestUsed),
            _ => Err(Error::IngestRejected),
        };
    }
    // A resumable transfer of the same file has nothing left to send.
    store::resumable::complete(tx, upload.uid, now + DAY).await?;
    check_right(content, tx, upload).await
}

/// Returns whether this error proves that no row refers to the bytes. After a lost connection to the database
/// this is unknown, and if another request with the same bytes was faster, they are being served.
fn proves_unreferenced(error: &Error) -> bool {
    reject_reason(error).is_some() || matches!(error, Error::IngestRejected)
}

/// Rejects the upload if this error ends it, and frees what it holds.
pub async fn reject_and_free(
    content: &Content,
    uid: Uid,
    error: &Error,
    received_file: &ReceivedFile,
) -> Result<(), Error> {
    if reject(content, uid, error, received_file).await? {
        release::free_staged(content, uid).await;
    }
    Ok(())
}

/// Rejects the upload if this error ends it, and returns whether it does. The caller removes what was
/// received.
pub async fn reject(
    content: &Content,
    uid: Uid,
    error: &Error,
    received_file: &ReceivedFile,
) -> Result<bool, Error> {
    let Some(reason) = reject_reason(error) else { return Ok(false) };
    let (tx, now) = (content.db.write_tx().await?, content.ambient.now());
    let received_file = Some(received_file).filter(|received_file| received_file.size > 0);
    store::upload::finish(&tx, uid, UploadStatus::Rejected, Some(reason), received_file, now).await?;
    tx.commit().await?;
    Ok(true)
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

/// Checks the complete file against what was announced, and records what was received in `received_file`.
pub fn verify(
    upload: &Upload,
    received: &Received,
    mime: &str,
    received_file: &mut ReceivedFile,
) -> Result<Sniffed, Error> {
    let (md5, sha256) = (Some(received.md5), Some(received.sha256));
    *received_file = ReceivedFile { size: received.len, md5, sha256, sniffed: None };
    let sniffed = media::sniff(&received.head, mime, &upload.file.name);
    received_file.sniffed = Some(match &sniffed {
        Ok(sniffed) => sniffed.mime,
        Err(mismatch) => mismatch.found,
    });
    if received.md5 != upload.file.md5 {
        return Err(Error::Mismatch(MismatchError::Checksum));
    }
    sniffed.map_err(|mismatch| {
        tracing::info!(upload = %upload.uid, %mismatch, "an upload was rejected");
        Error::Mismatch(MismatchError::Content)
    })
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

/// A stream and its speed so far.
struct Sender<S> {
    stream: S,
    began: Instant,
    bytes: u64,
}

/// Wraps the stream to fail when no data arrives for the configured time, or when the average speed is so low
/// that the request only occupies a slot.
pub fn abort_if_stalled(
    stream: impl Stream<Item = Result<Bytes, axum::Error>> + Send,
    settings: &ContentSettings,
) -> impl Stream<Item = Result<Bytes, String>> + Send {
    let (idle, rate) = (Duration::from_secs(settings.upload_idle_seconds), settings.upload_min_rate);
    let sender = Sender { stream: Box::pin(stream), began: Instant::now(), bytes: 0 };
    futures::stream::unfold(Some(sender), move |sender| async move {
        let mut sender = sender?;
        let slowest = idle + Duration::from_secs(sender.bytes / rate);
        let left = slowest.saturating_sub(sender.began.elapsed());
        match tokio::time::timeout(idle.min(left), sender.stream.next()).await {
            Ok(Some(Ok(frame))) => {
                sender.bytes += frame.len() as u64;
                Some((Ok(frame), Some(sender)))
            }
            Ok(Some(Err(error))) => Some((Err(error.to_string()), None)),
            Ok(None) => None,
            Err(_) => Some((Err("the sender stalled or was too slow".to_owned()), None)),
        }
    })
}
