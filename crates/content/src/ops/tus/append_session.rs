//! Stores the chunks of a resumable upload, and completes it after the last one.

use std::pin::pin;

use axum::body::Body;
use bytes::Bytes;
use futures::StreamExt as _;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use kernel::{DAY, Millis, ResumableId, Timestamp};
use storage::{CompleteStream, Progress, ReceiveError, ResumableStream, StorageError};
use tracing::Instrument as _;

use super::ResumableUpload;
use super::checksum::Checksum;
use crate::model::UNKNOWN_TYPE;
use crate::objects::staged_path;
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::resumable::Resumable;
use crate::store::upload::{Target, Upload};
use crate::tus_error::TusError;
use crate::upload::address::check_right;
use crate::upload::error::UploadError;
use crate::upload::publish::store_and_publish;
use crate::upload::reject::reject;
use crate::upload::release::discard_staged;
use crate::upload::stall::abort_if_stalled;
use crate::upload::verify::verify;
use crate::upload_slots::{RETRY_SECONDS, SlotError, UploadPermit};
use crate::{Content, Error, store};

/// How long an upload stays pending after its last byte.
const LIFETIME: Millis = DAY;

/// A chunk of a request.
pub struct Chunk {
    offset: u64,
    /// Length of the chunk, if the request declares it.
    len: Option<u64>,
    checksum: Option<Checksum>,
    body: Body,
}

impl Chunk {
    pub fn read(headers: &HeaderMap, offset: u64, body: Body) -> Result<Self, TusError> {
        let len = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        Ok(Self { offset, len, checksum: Checksum::read(headers)?, body })
    }
}

/// What is acknowledged: the offset, and the expiry of the upload.
pub struct Ack {
    pub offset: u64,
    pub expires_at: Timestamp,
}

/// Appends a chunk. What was received of it is kept even if its sender disconnects.
pub async fn append(content: &Content, found: ResumableUpload, chunk: Chunk) -> Result<Ack, Error> {
    let upload = &found.upload;
    let permit =
        content.upload_slots.acquire_preemptible(upload.uid, upload.person, upload.org).map_err(|full| {
            match full {
                SlotError::AlreadyUploading => TusError::Locked,
                SlotError::LimitReached => TusError::NoSlot(RETRY_SECONDS),
            }
        })?;
    let content = content.clone();
    // When the client disconnects, the request is dropped; this task still runs to its end.
    let task =
        async move { append_with_permit(&content, found.upload, found.resumable.uid, chunk, &permit).await };
    let done = tokio::spawn(task.in_current_span()).await;
    done.unwrap_or_else(|error| Err(Error::Storage(error.into())))
}

async fn append_with_permit(
    content: &Content,
    upload: Upload,
    uid: ResumableId,
    chunk: Chunk,
    permit: &UploadPermit,
) -> Result<Ack, Error> {
    // Read again while holding the slot: another request may have ended just before.
    let row = store::resumable::by_uid(content.db.read(), uid).await?.ok_or(Error::NoUpload)?;
    if chunk.offset != row.offset {
        return Err(TusError::Offset.into());
    }
    if chunk.len.is_some_and(|len| len > row.length - row.offset) {
        return Err(TusError::TooLong.into());
    }
    if row.offset == row.length {
        return Ok(Ack { offset: row.offset, expires_at: row.expires_at });
    }
    // Checked again at the end, but no one should have to send gigabytes to find out.
    if let Err(error) = check_wanted(content, &upload).await {
        return Err(reject_and_discard(content, &upload, uid, error.into()).await);
    }
    let progress = store::resumable::progress(content.db.read(), uid).await?.ok_or(TusError::Gone)?;
    content.storage.check_space(row.length - row.offset)?;
    let appending = content.storage.resume(uid, row.length, progress).await.map_err(storage_error)?;
    AppendSession { content, upload, row, appending }.run(chunk, permit).await
}

/// Checks that the file is still wanted: the person who began the upload has the right, and the item exists.
async fn check_wanted(content: &Content, upload: &Upload) -> Result<(), Error> {
    check_right(content, content.db.read(), upload).await?;
    let (Some(org), Target::Content(id)) = (upload.org, &upload.target) else {
        return Err(TusError::Image.into());
    };
    store::content::by_id(content.db.read(), org, *id).await?.map(|_| ()).ok_or(Error::NotFound)
}

/// Translates a storage error that prevents resuming.
fn storage_error(error: StorageError) -> Error {
    match error {
        StorageError::Busy => TusError::Locked.into(),
        StorageError::Missing => TusError::Gone.into(),
        error => error.into(),
    }
}

/// Rejects the upload if this error ends it, removes what was received, and returns the error to report.
async fn reject_and_discard(
    content: &Content,
    upload: &Upload,
    uid: ResumableId,
    failure: UploadError,
) -> Error {
    match reject(content, upload.uid, &failure).await {
        Ok(false) => failure.error,
        Ok(true) => match store::resumable::progress(content.db.read(), uid).await {
            Ok(progress) => {
                discard_staged(content, uid, progress).await;
                failure.error
            }
            Err(worse) => worse.into(),
        },
        Err(worse) => worse,
    }
}

/// A resumable upload to which a chunk is being appended.
struct AppendSession<'a> {
    content: &'a Content,
    upload: Upload,
    row: Resumable,
    appending: ResumableStream,
}

/// How the body of a chunk ended.
enum BodyEnd {
    /// Completely.
    Complete,
    /// Interrupted.
    Broken(String),
    /// Another request asked this one to yield.
    Cancelled,
}

impl BodyEnd {
    /// Returns the error for the sender, unless the chunk is complete.
    fn error(self) -> Option<Error> {
        match self {
            Self::Complete => None,
            Self::Broken(cause) => Some(Error::BrokenOff(cause)),
            Self::Cancelled => Some(TusError::Locked.into()),
        }
    }
}

impl AppendSession<'_> {
    async fn run(mut self, chunk: Chunk, permit: &UploadPermit) -> Result<Ack, Error> {
        let mut checksum = chunk.checksum;
        let ending = self.receive_body(chunk.body, checksum.as_mut(), permit).await;
        let error = match (ending, checksum.map(Checksum::matches)) {
            (Err(error), _) => Some(error),
            (Ok(BodyEnd::Complete), Some(false)) => Some(TusError::Checksum.into()),
            // An incomplete chunk cannot be verified, so it must be sent again.
            (Ok(ending), Some(_)) => ending.error(),
            (Ok(_), None) if self.appending.is_complete() => None,
            (Ok(ending), None) => {
                self.save_progress().await?;
                ending.error()
            }
        };
        match error {
            Some(error) => {
                self.appending.release().await;
                Err(error)
            }
            None if self.appending.is_complete() => self.finish().await,
            None => {
                self.save_progress().await?;
                Ok(Ack { offset: self.row.offset, expires_at: self.row.expires_at })
            }
        }
    }

    /// Writes frames until the body ends. A chunk with a checksum is kept completely or not at all.
    async fn receive_body(
        &mut self,
        body: Body,
        mut checksum: Option<&mut Checksum>,
        permit: &UploadPermit,
    ) -> Result<BodyEnd, Error> {
        let mut stream = pin!(abort_if_stalled(body.into_data_stream(), &self.content.settings));
        loop {
            let frame = tokio::select! {
                biased;
                () = permit.cancelled() => return Ok(BodyEnd::Cancelled),
                frame = stream.next() => frame,
            };
            match frame {
                None => return Ok(BodyEnd::Complete),
                Some(Err(cause)) => return Ok(BodyEnd::Broken(cause)),
                Some(Ok(frame)) => {
                    if let Some(checksum) = &mut checksum {
                        checksum.update(&frame);
                    }
                    self.write(frame, checksum.is_none()).await?;
                }
            }
        }
    }

    async fn write(&mut self, mut frame: Bytes, keep: bool) -> Result<(), Error> {
        while !frame.is_empty() {
            let due = self.appending.write(&mut frame).await.map_err(receive_error)?;
            if due && keep && !self.appending.is_complete() {
                self.save_progress().await?;
            }
        }
        Ok(())
    }

    /// Flushes what was received and records the offset.
    async fn save_progress(&mut self) -> Result<(), Error> {
        if self.appending.offset() == self.row.offset {
            return Ok(());
        }
        let progress = self.appending.keep().await.map_err(storage_error)?;
        let expires_at = self.content.ambient.now() + LIFETIME;
        self.record_offset(&progress, expires_at).await?;
        (self.row.offset, self.row.expires_at) = (progress.offset(), expires_at);
        Ok(())
    }

    async fn record_offset(&self, progress: &Progress, expires_at: Timestamp) -> Result<(), Error> {
        let tx = self.content.db.write_tx().await?;
        if !store::resumable::advance(&tx, &self.row, progress, expires_at).await? {
            return Err(TusError::Offset.into());
        }
        if !store::upload::extend(&tx, self.upload.uid, expires_at).await? {
            return Err(TusError::Gone.into());
        }
        let staged = StoredObject {
            path: staged_path(self.row.uid),
            org: self.upload.org,
            content: None,
            upload: Some(self.upload.uid),
            kind: ObjectKind::Staged,
            bytes: progress.stored_bytes(),
        };
        store::object::record(&tx, staged, self.content.ambient.now()).await?;
        Ok(tx.commit().await?)
    }

    /// Completes the upload: as with a PUT, the file is verified, stored and published, or rejected.
    async fn finish(self) -> Result<Ack, Error> {
        let Self { content, upload, row, appending } = self;
        let mut whole = appending.finish().await.map_err(receive_error)?;
        let outcome = verify_and_publish(content, &upload, &mut whole).await;
        // Released only now: nothing else may touch the bytes until a row refers to them.
        let left = whole.into_progress();
        match outcome {
            Ok(()) => {
                discard_staged(content, row.uid, Some(left)).await;
                Ok(Ack { offset: row.length, expires_at: content.ambient.now() + LIFETIME })
            }
            Err(failure) => {
                if reject(content, upload.uid, &failure).await? {
                    discard_staged(content, row.uid, Some(left)).await;
                }
                Err(failure.error)
            }
        }
    }
}

async fn verify_and_publish(
    content: &Content,
    upload: &Upload,
    whole: &mut CompleteStream,
) -> Result<(), UploadError> {
    let Target::Content(id) = upload.target else { return Err(Error::from(TusError::Image).into()) };
    let mime = upload.file.mime.clone().unwrap_or_else(|| UNKNOWN_TYPE.to_owned());
    let verified = verify(upload, whole.received(), mime)?;
    let commit = async { whole.commit().await.map_err(storage_error) };
    store_and_publish(content, upload, id, verified, commit).await
}

fn receive_error(error: ReceiveError) -> Error {
    match error {
        ReceiveError::TooLong { .. } => TusError::TooLong.into(),
        ReceiveError::TooShort { .. } => TusError::Length.into(),
        ReceiveError::Broken(cause) => Error::BrokenOff(cause),
        ReceiveError::Storage(error) => storage_error(error),
    }
}
