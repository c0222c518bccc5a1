//! `PUT /ingest/{token}`: the raw bytes of an announced file (S-24).
//!
//! The address is its own proof. Bytes are counted, hashed and looked at while they stream to the disk; a
//! request that was whole but different from what was announced ends the upload, one that broke off leaves it
//! waiting for another try.

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
use kernel::{DAY, Problem, Uid};
use media::Sniffed;
use orgs::rights::EditContent;
use sea_orm::ConnectionTrait;
use storage::{Key, ReceiveError, Received, Staged};

use crate::error::{ImageFault, Mismatch};
use crate::model::{UNKNOWN_TYPE, UploadStatus, same_type};
use crate::ops::create_upload::{INGEST, expected};
use crate::store::upload::{Came, Target, Upload};
use crate::wire::UploadOut;
use crate::{Content, ContentSettings, Error, store};

/// After how long whoever found no place is to try again.
pub const RETRY_SECONDS: u32 = 5;

/// Takes the bytes of an announced file. Answers once they are stored, verified and available.
#[utoipa::path(put, path = "/ingest/{token}", tag = "content", params(("token" = String, Path)),
    request_body(content = String, content_type = "application/octet-stream", description = "The raw bytes."),
    responses(
    (status = 200, body = UploadOut), (status = 400, body = Problem), (status = 403, body = Problem),
    (status = 408, body = Problem), (status = 409, body = Problem), (status = 413, body = Problem),
    (status = 429, body = Problem),
))]
pub async fn ingest_file(
    State(room): State<Content>,
    Path(token): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Reply<Json<UploadOut>> {
    let upload = awaited(&room, &token).await?;
    let place = room.places.take(upload.uid, upload.person, upload.org);
    let _place = place.map_err(|_| Problem::too_many(RETRY_SECONDS))?;
    let mut came = Came::default();
    let outcome = take(&room, &upload, &headers, body, &mut came).await;
    if let Err(error) = &outcome {
        end(&room, upload.uid, error, &came).await?;
    }
    outcome?;
    let done = Upload { status: UploadStatus::Available, ..upload };
    Ok(Json(expected(&room, &done)))
}

async fn take(
    room: &Content,
    upload: &Upload,
    headers: &HeaderMap,
    body: Body,
    came: &mut Came,
) -> Result<(), Error> {
    // Seen again at the end; a person who lost the right need not send gigabytes to learn it.
    check_right(room, room.db.read(), upload).await?;
    match &upload.target {
        Target::Content(uid) => arrival::take(room, upload, *uid, headers, body, came).await,
        Target::Image(name) => picture::take(room, upload, name, headers, body, came).await,
    }
}

/// The upload behind an address, if its file is still awaited.
pub async fn awaited(room: &Content, token: &str) -> Result<Upload, Error> {
    let uid = room.signer.verify(INGEST, token).and_then(|bytes| Uid::from_slice(&bytes).ok());
    let uid = uid.ok_or(Error::IngestExpired)?;
    let upload = store::upload::by_uid(room.db.read(), uid).await?.ok_or(Error::IngestExpired)?;
    match upload.status {
        UploadStatus::Available => Err(Error::IngestUsed),
        UploadStatus::Rejected => Err(Error::IngestRejected),
        UploadStatus::Pending if room.ambient.now() >= upload.expires_at => Err(Error::IngestExpired),
        UploadStatus::Pending => Ok(upload),
    }
}

/// The reason to keep with an upload that such an error ends; `None` when the same file may be sent again.
pub fn ends(error: &Error) -> Option<&'static str> {
    match error {
        Error::Mismatch(mismatch) => Some(mismatch.code()),
        Error::TooManyBytes => Some("too_many_bytes"),
        Error::FileTooLarge => Some("file_too_large"),
        Error::QuotaExceeded => Some("quota_exceeded"),
        Error::NotAnImage => Some("not_an_image"),
        Error::Image(fault) => Some(fault.code()),
        Error::NotFound => Some("content_deleted"),
        Error::RightWithdrawn => Some("right_withdrawn"),
        _ => None,
    }
}

/// The sentence for a reason that was kept.
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
        "content_deleted" => return Some("The content was deleted while its file came.".to_owned()),
        "cancelled" => return Some("The upload was cancelled.".to_owned()),
        _ => return None,
    };
    Some(Refusal::from(error).0.message.into_owned())
}

/// Whether whoever began an upload may still finish it: an organisation's file needs the right at the end as
/// it did at the beginning.
pub async fn check_right(room: &Content, conn: &impl ConnectionTrait, upload: &Upload) -> Result<(), Error> {
    match upload.org {
        Some(org) if !room.orgs.may::<EditContent>(conn, org, upload.person).await? => {
            Err(Error::RightWithdrawn)
        }
        _ => Ok(()),
    }
}

/// Ends an upload as available in the transaction that shows its bytes.
///
/// # Errors
/// How it ended meanwhile, by another request for the same address; or the right is gone.
async fn finish(room: &Content, tx: &WriteTx, upload: &Upload, came: &Came) -> Result<(), Error> {
    let now = room.ambient.now();
    if !store::upload::finish(tx, upload.uid, UploadStatus::Available, None, Some(came), now).await? {
        return match store::upload::by_uid(tx, upload.uid).await? {
            Some(ended) if ended.status == UploadStatus::Available => Err(Error::IngestUsed),
            _ => Err(Error::IngestRejected),
        };
    }
    // Another way it was coming in by has nothing left to bring.
    store::resumable::complete(tx, upload.uid, now + DAY).await?;
    check_right(room, tx, upload).await
}

/// Whether such an error makes it certain that no row names the bytes. After a lost connection to the database
/// nobody knows, and where another request with the same bytes was faster they are being served.
fn unnamed(error: &Error) -> bool {
    ends(error).is_some() || matches!(error, Error::IngestRejected)
}

/// Ends the upload as rejected if such an error does; true then.
pub async fn end(room: &Content, uid: Uid, error: &Error, came: &Came) -> Result<bool, Error> {
    let Some(reason) = ends(error) else { return Ok(false) };
    let (tx, now) = (room.db.write_tx().await?, room.ambient.now());
    let came = Some(came).filter(|came| came.size > 0);
    store::upload::finish(&tx, uid, UploadStatus::Rejected, Some(reason), came, now).await?;
    tx.commit().await?;
    Ok(true)
}

/// A file whose bytes are what was announced, staged and seen by nobody.
struct Verified {
    staged: Staged,
    mime: String,
    sniffed: Sniffed,
}

/// Takes in the body and holds it against what was announced.
async fn receive(
    room: &Content,
    upload: &Upload,
    key: &Key,
    headers: &HeaderMap,
    stream: impl Stream<Item = Result<Bytes, axum::Error>> + Send,
    came: &mut Came,
) -> Result<Verified, Error> {
    let sent_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or(UNKNOWN_TYPE);
    let mime = upload.file.mime.clone().unwrap_or_else(|| sent_type.to_ascii_lowercase());
    if !same_type(sent_type, &mime) {
        return Err(Error::Mismatch(Mismatch::Type));
    }
    let len = announced_length(room, upload, headers)?;
    let stream = awake(stream, &room.settings);
    let staged = room.storage.receive(key, len, stream).await.map_err(|error| match error {
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

/// Holds all of what came against what was announced, and writes down what it was.
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
        tracing::info!(upload = %upload.uid, %mismatch, "an upload was turned away");
        Error::Mismatch(Mismatch::Content)
    })
}

/// How many bytes must come: as announced, or, for a version announced without, as the request says.
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

/// What is known of a sender.
struct Sender<S> {
    stream: S,
    began: Instant,
    bytes: u64,
}

/// The stream, broken off when nothing comes for as long as the settings say, or when it is so slow on the
/// whole that it only holds a place.
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
            Err(_) => Some((Err("the sender fell silent, or was far too slow".to_owned()), None)),
        }
    })
}
