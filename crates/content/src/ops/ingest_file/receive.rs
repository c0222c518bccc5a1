//! Receives the body of a request and checks it against what was announced.

use bytes::Bytes;
use futures::{Stream, StreamExt as _};
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use kernel::{HOUR, MINUTE, Millis, Timestamp, UploadId};
use storage::{Key, ReceiveError, Staged};

use crate::error::MismatchError;
use crate::model::{UNKNOWN_TYPE, same_type};
use crate::store::upload::{ReceivedBytes, Upload};
use crate::upload::error::UploadError;
use crate::upload::stall::abort_if_stalled;
use crate::upload::verify::{VerifiedFile, verify};
use crate::upload_slots::UploadPermit;
use crate::{Content, Error, store};

/// How long an upload stays pending after it was announced, and after each extension while bytes arrive.
const LIFETIME: Millis = HOUR;
/// Minimum time between two extensions.
const EXTEND_EVERY: Millis = 5 * MINUTE;

/// A verified file whose bytes are staged in the storage, not under its key yet.
pub struct StagedFile {
    pub staged: Staged,
    pub verified: VerifiedFile,
}

/// Receives the body and checks it against what was announced.
pub async fn receive(
    content: &Content,
    upload: &Upload,
    key: &Key,
    headers: &HeaderMap,
    stream: impl Stream<Item = Result<Bytes, axum::Error>> + Send,
    permit: &UploadPermit,
) -> Result<StagedFile, UploadError> {
    let (mime, len) = check_headers(content, upload, headers)?;
    content.storage.check_space(len).map_err(Error::from)?;
    let stream = extending(abort_if_stalled(stream, &content.settings), content, upload);
    let staged = tokio::select! {
        biased;
        () = permit.cancelled() => {
            return Err(Error::BrokenOff("another request took its place".to_owned()).into());
        }
        staged = content.storage.receive(key, len, stream) => staged.map_err(receive_error)?,
    };
    let verified = verify(upload, staged.received(), mime)?;
    Ok(StagedFile { staged, verified })
}

fn receive_error(error: ReceiveError) -> UploadError {
    match error {
        ReceiveError::TooShort { got, .. } => UploadError {
            error: Error::Mismatch(MismatchError::Length),
            received: Box::new(ReceivedBytes::Incomplete(got)),
        },
        ReceiveError::TooLong { .. } => Error::TooManyBytes.into(),
        ReceiveError::Broken(cause) => Error::BrokenOff(cause).into(),
        ReceiveError::Storage(error) => Error::Storage(error).into(),
    }
}

/// Returns the type and the length that a request declares, if they match the announcement.
pub fn check_headers(
    content: &Content,
    upload: &Upload,
    headers: &HeaderMap,
) -> Result<(String, u64), Error> {
    let sent_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or(UNKNOWN_TYPE);
    let mime = upload.file.mime.clone().unwrap_or_else(|| sent_type.to_ascii_lowercase());
    if !same_type(sent_type, &mime) {
        return Err(Error::Mismatch(MismatchError::Type));
    }
    Ok((mime, expected_length(content, upload, headers)?))
}

/// Returns the expected number of bytes: as announced, or, if the size was left out, as the request declares.
pub fn expected_length(content: &Content, upload: &Upload, headers: &HeaderMap) -> Result<u64, Error> {
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
    let sender = (Box::pin(stream), content, extended_at);
    futures::stream::unfold(sender, move |(mut stream, content, last)| async move {
        let frame = stream.next().await?;
        let now = content.ambient.now();
        if frame.is_err() || now < last + EXTEND_EVERY {
            return Some((frame, (stream, content, last)));
        }
        match extend(&content, uid, now + LIFETIME).await {
            Ok(true) => Some((frame, (stream, content, now))),
            Ok(false) => Some((Err("the upload has ended".to_owned()), (stream, content, now))),
            // A short outage of the database must not end a long upload.
            Err(error) => {
                tracing::warn!(%error, upload = %uid, "an upload could not be extended");
                Some((frame, (stream, content, last)))
            }
        }
    })
}

async fn extend(content: &Content, uid: UploadId, expires_at: Timestamp) -> Result<bool, sea_orm::DbErr> {
    let tx = content.db.write_tx().await?;
    let is_pending = store::upload::extend(&tx, uid, expires_at).await?;
    tx.commit().await?;
    Ok(is_pending)
}
