//! `PUT /ingest/{token}`: the raw bytes of an announced file.
//!
//! The address is the only credential. Bytes are counted, hashed and sniffed while they stream to the disk. A
//! complete request that differs from what was announced ends the upload; an interrupted one leaves it
//! pending for another attempt.

pub mod arrival;
mod picture;

pub use picture::image_key;

use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use bytes::Bytes;
use db::WriteTx;
use futures::{Stream, StreamExt as _};
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use httpkit::{Path, Refusal, Reply};
use kernel::{DAY, HOUR, MINUTE, Millis, Problem, Uid};
use media::Sniffed;
use orgs::rights::EditContent;
use sea_orm::ConnectionTrait;
use storage::{Key, ReceiveError, Received, Staged};
use tracing::Instrument as _;

use crate::error::{ImageFault, Mismatch};
use crate::model::{UNKNOWN_TYPE, UploadStatus, same_type};
use crate::ops::create_upload::{INGEST, expected};
use crate::places::Place;
use crate::store::upload::{Came, Target, Upload};
use crate::wire::UploadOut;
use crate::{Content, ContentSettings, Error, release, store};

/// How long an upload stays pending after it was announced, and after each extension while bytes arrive.
const LIFE: Millis = HOUR;
/// Minimum time between two extensions.
const PROLONG_EVERY: Millis = 5 * MINUTE;

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
    State(room): State<Content>,
    Path(token): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Reply<Json<UploadOut>> {
    let mut upload = awaited(&room, &token).await?;
    // A sender that starts again has given up on the earlier request, whose broken connection may not be
    // noticed yet.
    if room.places.is_held(upload.uid) {
        // A request that cannot be this file must not end one that may be.
        declared(&room, &upload, &headers)?;
        room.places.clear(upload.uid).await;
        upload = awaited(&room, &token).await?;
    }
    let place = room.places.take_as_guest(upload.uid, upload.person, upload.org);
    let place = place.map_err(|_| Problem::too_many(RETRY_SECONDS))?;
    let task = {
        let room = room.clone();
        async move { take(&room, upload, &headers, body, &place).await }
    };
    // When the client disconnects, the request is dropped; a file that was received completely is published
    // all the same.
    let done = tokio::spawn(task.in_current_span()).await;
    let done = done.unwrap_or_else(|error| Err(Error::Storage(error.into())))?;
    Ok(Json(expected(&room, &done)))
}

async fn take(
    room: &Content,
    upload: Upload,
    headers: &HeaderMap,
    body: Body,
    place: &Place,
) -> Result<Upload, Error> {
    let mut came = Came::default();
    match take_bytes(room, &upload, headers, body, place, &mut came).await {
        Ok(()) => Ok(Upload { status: UploadStatus::Available, ..upload }),
        // It may have been asked to yield because the upload was cancelled.
        Err(error @ Error::BrokenOff(_)) => Err(still_awaited(room, upload.uid).await.err().unwrap_or(error)),
        Err(error) => {
            end(room, upload.uid, &error, &came).await?;
            Err(error)
        }
    }
}

async fn take_bytes(
    room: &Content,
    upload: &Upload,
    headers: &HeaderMap,
    body: Body,
    place: &Place,
    came: &mut Came,
) -> Result<(), Error> {
    // Checked again at the end, but someone without the right should not have to send gigabytes to find out.
    check_right(room, room.db.read(), upload).await?;
    match &upload.target {
        Target::Content(uid) => arrival::take(room, upload, *uid, headers, body, place, came).await,
        Target::Image(name) => picture::take(room, upload, name, headers, body, place, came).await,
    }
}

/// Returns the upload of an ingest address, if it is still pending.
pub async fn awaited(room: &Content, token: &str) -> Result<Upload, Error> {
    let uid = room.signer.verify(INGEST, token).and_then(|bytes| Uid::from_slice(&bytes).ok());
    still_awaited(room, uid.ok_or(Error::IngestExpired)?).await
}

/// Returns the upload, if it is still pending.
async fn still_awaited(room: &Content, uid: Uid) -> Result<Upload, Error> {
    let upload = store::upload::by_uid(room.db.read(), uid).await?.ok_or(Error::IngestExpired)?;
    match upload.status {
        UploadStatus::Available => Err(Error::IngestUsed),
        UploadStatus::Rejected => Err(Error::IngestRejected),
        UploadStatus::Pending if room.ambient.now() >= upload.expires_at => Err(Error::IngestExpired),
        UploadStatus::Pending => Ok(upload),
    }
}

/// Returns the rejection reason if this error ends the upload; `None` if the same file may be sent again.
pub fn ends(error: &Error) -> Option<&'static str> {
    match error {
        Error::Mismatch(mismatch) => Some(mismatch.code()),
        Error::TooManyBytes => Some("too_many_bytes"),
        Error::FileTooLarge => Some("file_too_large"),
        Error::QuotaExceeded => Some("quota_exceeded"),
        Error::NotAnImage => Some("not_an_image"),
        Error::Image(fault) => Some(fault.code()),
        Error::NotFound => Some(release::CONTENT_DELETED),
        Error::RightWithdrawn => Some("right_withdrawn"),
        _ => None,
    }
}

/// Returns the sentence for a stored rejection reason.
pub fn sentence(reason: &str) -> Option<String> {
    let error = match reason {
        "length_mismatch" => Error::Mismatch(Mismatch::Length),
        "type_mismatch" => Error::Mismatch(Mismatch::Type),
        "checksum_mismatch" => Error::Mismatch(Mismatch::Checksum),
        "content_mismatch" => Error::Mismatch(Mismatch::Content),
        "too_many_bytes" => Error::TooManyBytes,
        "file_too_large" => Error::FileTooLarge,
        "quota_exceeded" => Error::QuotaExceeded,
        "not_an_image" => Error::NotAnImage,
        "image_too_many_pixels" => Error::Image(ImageFault::TooManyPixels),
        "image_profile_too_large" => Error::Image(ImageFault::LargeProfile),
        "image_too_complex" => Error::Image(ImageFault::TooCostly),
        "right_withdrawn" => Error::RightWithdrawn,
        release::CONTENT_DELETED => return Some("The content was deleted during the upload.".to_owned()),
        release::ABANDONED => return Some("The upload was not finished in time.".to_owned()),
        release::CANCELLED => return Some("The upload was cancelled.".to_owned()),
        _ => return None,
    };
    Some(Refusal::from(error).0.message.into_owned())
}

/// Checks that the person who began an upload may still finish it: an organisation's file needs the right at
/// the end as well as at the beginning.
pub async fn check_right(room: &Content, conn: &impl ConnectionTrait, upload: &Upload) -> Result<(), Error> {
    match upload.org {
        Some(org) if !room.orgs.may::<EditContent>(conn, org, upload.person).await? => {
            Err(Error::RightWithdrawn)
        }
        _ => Ok(()),
    }
}

/// Ends an upload as available, in the transaction that publishes its bytes.
///
/// # Errors
/// Fails if another request for the same address ended it first, or if the right is gone.
async fn finish(room: &Content, tx: &WriteTx, upload: &Upload, came: &Came) -> Result<(), Error> {
    let now = room.ambient.now();
    if !store::upload::finish(tx, upload.uid, UploadStatus::Available, None, Some(came), now).await? {
        return match store::upload::by_uid(tx, upload.uid).await? {
            Some(ended) if ended.status == UploadStatus::Available => Err(Error::IngestUsed),
            _ => Err(Error::IngestRejected),
        };
    }
    // A resumable transfer of the same file has nothing left to send.
    store::resumable::complete(tx, upload.uid, now + DAY).await?;
    check_right(room, tx, upload).await
}

/// Returns whether this error proves that no row refers to the bytes. After a lost connection to the database
/// this is unknown, and if another request with the same bytes was faster, they are being served.
fn unnamed(error: &Error) -> bool {
    ends(error).is_some() || matches!(error, Error::IngestRejected)
}

/// Rejects the upload if this error ends it, and frees what it holds.
pub async fn end(room: &Content, uid: Uid, error: &Error, came: &Came) -> Result<(), Error> {
    if reject(room, uid, error, came).await? {
        release::free_staged(room, uid).await;
    }
    Ok(())
}

/// Rejects the upload if this error ends it, and returns whether it does. The caller removes what was
/// received.
pub async fn reject(room: &Content, uid: Uid, error: &Error, came: &Came) -> Result<bool, Error> {
    let Some(reason) = ends(error) else { return Ok(false) };
    let (tx, now) = (room.db.write_tx().await?, room.ambient.now());
    let came = Some(came).filter(|came| came.size > 0);
    store::upload::finish(&tx, uid, UploadStatus::Rejected, Some(reason), came, now).await?;
    tx.commit().await?;
    Ok(true)
}

/// A staged file whose bytes are what was announced; not visible yet.
struct Verified {
    staged: Staged,
    mime: String,
    sniffed: Sniffed,
}

/// Receives the body and checks it against what was announced.
async fn receive(
    room: &Content,
    upload: &Upload,
    key: &Key,
    headers: &HeaderMap,
    stream: impl Stream<Item = Result<Bytes, axum::Error>> + Send,
    place: &Place,
    came: &mut Came,
) -> Result<Verified, Error> {
    let (mime, len) = declared(room, upload, headers)?;
    room.storage.check_space(len)?;
    let stream = prolonging(awake(stream, &room.settings), room, upload);
    let staged = tokio::select! {
        biased;
        () = place.asked() => return Err(Error::BrokenOff("another request took its place".to_owned())),
        staged = room.storage.receive(key, len, stream) => staged,
    };
    let staged = staged.map_err(|error| match error {
        ReceiveError::TooShort { got, .. } => {
            came.size = got;
            Error::Mismatch(Mismatch::Length)
        }
        ReceiveError::TooLong { .. } => Error::TooManyBytes,
        ReceiveError::Broken(cause) => Error::BrokenOff(cause),
        ReceiveError::Storage(error) => Error::Storage(error),
    })?;
    let sniffed = verify(upload, staged.received(), &mime, came)?;
    Ok(Verified { staged, mime, sniffed })
}

/// Checks the complete file against what was announced, and records what was received in `came`.
pub fn verify(upload: &Upload, received: &Received, mime: &str, came: &mut Came) -> Result<Sniffed, Error> {
    let (md5, sha256) = (Some(received.md5), Some(received.sha256));
    *came = Came { size: received.len, md5, sha256, sniffed: None };
    let sniffed = media::sniff(&received.head, mime, &upload.file.name);
    came.sniffed = Some(match &sniffed {
        Ok(sniffed) => sniffed.mime,
        Err(mismatch) => mismatch.found,
    });
    if received.md5 != upload.file.md5 {
        return Err(Error::Mismatch(Mismatch::Checksum));
    }
    sniffed.map_err(|mismatch| {
        tracing::info!(upload = %upload.uid, %mismatch, "an upload was rejected");
        Error::Mismatch(Mismatch::Content)
    })
}

/// Returns the type and the length that a request declares, if they match the announcement.
fn declared(room: &Content, upload: &Upload, headers: &HeaderMap) -> Result<(String, u64), Error> {
    let sent_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or(UNKNOWN_TYPE);
    let mime = upload.file.mime.clone().unwrap_or_else(|| sent_type.to_ascii_lowercase());
    if !same_type(sent_type, &mime) {
        return Err(Error::Mismatch(Mismatch::Type));
    }
    Ok((mime, announced_length(room, upload, headers)?))
}

/// Returns the expected number of bytes: as announced, or, if the size was left out, as the request declares.
fn announced_length(room: &Content, upload: &Upload, headers: &HeaderMap) -> Result<u64, Error> {
    let header = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let sent: Option<u64> = header.and_then(|text| text.parse().ok());
    let len = upload.file.size.or(sent).ok_or(Error::Mismatch(Mismatch::Length))?;
    if len > room.settings.file_max_bytes {
        return Err(Error::FileTooLarge);
    }
    match sent {
        Some(sent) if sent > len => Err(Error::TooManyBytes),
        Some(sent) if sent < len => Err(Error::Mismatch(Mismatch::Length)),
        _ if len == 0 => Err(Error::Mismatch(Mismatch::Length)),
        _ => Ok(len),
    }
}

/// Wraps the stream to extend the upload while bytes arrive, so that a slow file does not lose its draft. The
/// stream fails if the upload has ended.
fn prolonging(
    stream: impl Stream<Item = Result<Bytes, String>> + Send,
    room: &Content,
    upload: &Upload,
) -> impl Stream<Item = Result<Bytes, String>> + Send {
    let (room, uid, begun) = (room.clone(), upload.uid, upload.expires_at - LIFE);
    futures::stream::unfold((Box::pin(stream), begun), move |(mut stream, last)| {
        let room = room.clone();
        async move {
            let frame = stream.next().await?;
            let now = room.ambient.now();
            if frame.is_err() || now < last + PROLONG_EVERY {
                return Some((frame, (stream, last)));
            }
            match prolong(&room, uid, now + LIFE).await {
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

async fn prolong(room: &Content, uid: Uid, expires_at: Millis) -> Result<bool, sea_orm::DbErr> {
    let tx = room.db.write_tx().await?;
    let awaited = store::upload::prolong(&tx, uid, expires_at).await?;
    tx.commit().await?;
    Ok(awaited)
}

/// A stream and its speed so far.
struct Sender<S> {
    stream: S,
    began: Instant,
    bytes: u64,
}

/// Wraps the stream to fail when no data arrives for the configured time, or when the average speed is so low
/// that the request only occupies a slot.
pub fn awake(
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
