//! Stores the chunks of a resumable upload, and completes it after the last one.

use std::pin::pin;

use axum::body::Body;
use bytes::Bytes;
use futures::StreamExt as _;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use kernel::{DAY, Millis, Uid};
use storage::{Appending, Progress, ReceiveError, StorageError, Whole};
use tracing::Instrument as _;

use super::sum::Sum;
use super::{Found, Wrong};
use crate::model::UNKNOWN_TYPE;
use crate::objects::staged_path;
use crate::ops::ingest_file::arrival::{self, Stored};
use crate::ops::ingest_file::{RETRY_SECONDS, awake, check_right, reject, verify};
use crate::places::{Full, Place};
use crate::release::forget;
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::resumable::Resumable;
use crate::store::upload::{Came, Target, Upload};
use crate::{Content, Error, store};

/// How long an upload stays pending after its last byte.
const LIFE: Millis = DAY;

/// A chunk of a request.
pub struct Sent {
    offset: u64,
    /// Length of the chunk, if the request declares it.
    len: Option<u64>,
    sum: Option<Sum>,
    body: Body,
}

impl Sent {
    pub fn read(headers: &HeaderMap, offset: u64, body: Body) -> Result<Self, Wrong> {
        let len = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        Ok(Self { offset, len, sum: Sum::read(headers)?, body })
    }
}

/// What is acknowledged: the offset, and the expiry of the upload.
pub struct Kept {
    pub offset: u64,
    pub expires_at: Millis,
}

/// Appends a chunk. What was received of it is kept even if its sender disconnects.
pub async fn append(room: &Content, found: Found, sent: Sent) -> Result<Kept, Error> {
    let upload = &found.upload;
    let place =
        room.places.take_as_guest(upload.uid, upload.person, upload.org).map_err(|full| match full {
            Full::ThisFile => Wrong::Locked,
            Full::Others => Wrong::NoPlace(RETRY_SECONDS),
        })?;
    let room = room.clone();
    // When the client disconnects, the request is dropped; this task still runs to its end.
    let task = async move { take(&room, found.upload, found.resumable.uid, sent, &place).await };
    let done = tokio::spawn(task.in_current_span()).await;
    done.unwrap_or_else(|error| Err(Error::Storage(error.into())))
}

async fn take(room: &Content, upload: Upload, uid: Uid, sent: Sent, place: &Place) -> Result<Kept, Error> {
    // Read again while holding the slot: another request may have ended just before.
    let row = store::resumable::by_uid(room.db.read(), uid).await?.ok_or(Error::NoUpload)?;
    if sent.offset != row.arrived {
        return Err(Wrong::Offset.into());
    }
    if sent.len.is_some_and(|len| len > row.length - row.arrived) {
        return Err(Wrong::TooLong.into());
    }
    if row.arrived == row.length {
        return Ok(Kept { offset: row.arrived, expires_at: row.expires_at });
    }
    // Checked again at the end, but no one should have to send gigabytes to find out.
    if let Err(error) = check_wanted(room, &upload).await {
        return Err(over(room, &upload, uid, error, &Came::default()).await);
    }
    let progress = store::resumable::progress(room.db.read(), uid).await?.ok_or(Wrong::Gone)?;
    room.storage.check_space(row.length - row.arrived)?;
    let appending = room.storage.resume(uid, row.length, progress).await.map_err(lost)?;
    Line { room, upload, row, appending }.take(sent, place).await
}

/// Checks that the file is still wanted: the person who began the upload has the right, and the item exists.
async fn check_wanted(room: &Content, upload: &Upload) -> Result<(), Error> {
    check_right(room, room.db.read(), upload).await?;
    let (Some(org), Target::Content(content)) = (upload.org, &upload.target) else {
        return Err(Wrong::Picture.into());
    };
    store::content::by_id(room.db.read(), org, *content).await?.map(|_| ()).ok_or(Error::NotFound)
}

/// Translates a storage error that prevents resuming.
fn lost(error: StorageError) -> Error {
    match error {
        StorageError::Busy => Wrong::Locked.into(),
        StorageError::Missing => Wrong::Gone.into(),
        error => error.into(),
    }
}

/// Rejects the upload if this error ends it, removes what was received, and returns the error to report.
async fn over(room: &Content, upload: &Upload, place: Uid, error: Error, came: &Came) -> Error {
    match reject(room, upload.uid, &error, came).await {
        Ok(false) => error,
        Ok(true) => match store::resumable::progress(room.db.read(), place).await {
            Ok(progress) => {
                forget(room, place, progress).await;
                error
            }
            Err(worse) => worse.into(),
        },
        Err(worse) => worse,
    }
}

/// A resumable upload to which a chunk is being appended.
struct Line<'a> {
    room: &'a Content,
    upload: Upload,
    row: Resumable,
    appending: Appending,
}

/// How the body of a chunk ended.
enum Ending {
    /// Completely.
    Whole,
    /// Interrupted.
    Broken(String),
    /// Another request asked this one to yield.
    Asked,
}

impl Ending {
    /// Returns the error for the sender, unless the chunk is complete.
    fn refusal(self) -> Option<Error> {
        match self {
            Self::Whole => None,
            Self::Broken(cause) => Some(Error::BrokenOff(cause)),
            Self::Asked => Some(Wrong::Locked.into()),
        }
    }
}

impl Line<'_> {
    async fn take(mut self, sent: Sent, place: &Place) -> Result<Kept, Error> {
        let mut sum = sent.sum;
        let ending = self.feed(sent.body, sum.as_mut(), place).await;
        let refusal = match (ending, sum.map(Sum::matches)) {
            (Err(error), _) => Some(error),
            (Ok(Ending::Whole), Some(false)) => Some(Wrong::Checksum.into()),
            // An incomplete chunk cannot be verified, so it must be sent again.
            (Ok(ending), Some(_)) => ending.refusal(),
            (Ok(_), None) if self.appending.is_whole() => None,
            (Ok(ending), None) => {
                self.keep().await?;
                ending.refusal()
            }
        };
        match refusal {
            Some(refusal) => {
                self.appending.let_go().await;
                Err(refusal)
            }
            None if self.appending.is_whole() => self.finish().await,
            None => {
                self.keep().await?;
                Ok(Kept { offset: self.row.arrived, expires_at: self.row.expires_at })
            }
        }
    }

    /// Writes frames until the body ends. A chunk with a checksum is kept completely or not at all.
    async fn feed(&mut self, body: Body, mut sum: Option<&mut Sum>, place: &Place) -> Result<Ending, Error> {
        let mut stream = pin!(awake(body.into_data_stream(), &self.room.settings));
        loop {
            let frame = tokio::select! {
                biased;
                () = place.asked() => return Ok(Ending::Asked),
                frame = stream.next() => frame,
            };
            match frame {
                None => return Ok(Ending::Whole),
                Some(Err(cause)) => return Ok(Ending::Broken(cause)),
                Some(Ok(frame)) => {
                    if let Some(sum) = &mut sum {
                        sum.update(&frame);
                    }
                    self.write(frame, sum.is_none()).await?;
                }
            }
        }
    }

    async fn write(&mut self, mut frame: Bytes, keep: bool) -> Result<(), Error> {
        while !frame.is_empty() {
            let due = self.appending.write(&mut frame).await.map_err(refused)?;
            if due && keep && !self.appending.is_whole() {
                self.keep().await?;
            }
        }
        Ok(())
    }

    /// Flushes what was received and records the offset.
    async fn keep(&mut self) -> Result<(), Error> {
        if self.appending.offset() == self.row.arrived {
            return Ok(());
        }
        let progress = self.appending.keep().await.map_err(lost)?;
        let expires_at = self.room.ambient.now() + LIFE;
        self.write_down(&progress, expires_at).await?;
        (self.row.arrived, self.row.expires_at) = (progress.offset(), expires_at);
        Ok(())
    }

    async fn write_down(&self, progress: &Progress, expires_at: Millis) -> Result<(), Error> {
        let tx = self.room.db.write_tx().await?;
        if !store::resumable::advance(&tx, &self.row, progress, expires_at).await? {
            return Err(Wrong::Offset.into());
        }
        if !store::upload::prolong(&tx, self.upload.uid, expires_at).await? {
            return Err(Wrong::Gone.into());
        }
        let staged = StoredObject {
            path: staged_path(self.row.uid),
            org: self.upload.org,
            content: None,
            upload: Some(self.upload.uid),
            kind: ObjectKind::Staged,
            bytes: progress.stored_bytes(),
        };
        store::object::record(&tx, staged, self.room.ambient.now()).await?;
        Ok(tx.commit().await?)
    }

    /// Completes the upload: as with a PUT, the file is verified, stored and published, or rejected.
    async fn finish(self) -> Result<Kept, Error> {
        let Self { room, upload, row, appending } = self;
        let mut whole = appending.finish().await.map_err(refused)?;
        let mut came = Came::default();
        let outcome = show(room, &upload, &mut whole, &mut came).await;
        // Released only now: nothing else may touch the bytes until a row refers to them.
        let left = whole.into_progress();
        match outcome {
            Ok(()) => {
                forget(room, row.uid, Some(left)).await;
                Ok(Kept { offset: row.length, expires_at: room.ambient.now() + LIFE })
            }
            Err(error) => {
                if reject(room, upload.uid, &error, &came).await? {
                    forget(room, row.uid, Some(left)).await;
                }
                Err(error)
            }
        }
    }
}

async fn show(room: &Content, upload: &Upload, whole: &mut Whole, came: &mut Came) -> Result<(), Error> {
    let Target::Content(content) = upload.target else { return Err(Wrong::Picture.into()) };
    let mime = upload.file.mime.clone().unwrap_or_else(|| UNKNOWN_TYPE.to_owned());
    let received = whole.received().clone();
    let sniffed = verify(upload, &received, &mime, came)?;
    arrival::intend(room, upload, content, received.len).await?;
    // Stored under a key that no row refers to yet; a crash from here on costs only the last chunk.
    whole.commit().await.map_err(lost)?;
    arrival::show(room, upload, content, Stored { received, mime, sniffed }, came).await
}

fn refused(error: ReceiveError) -> Error {
    match error {
        ReceiveError::TooLong { .. } => Wrong::TooLong.into(),
        ReceiveError::TooShort { .. } => Wrong::Length.into(),
        ReceiveError::Broken(cause) => Error::BrokenOff(cause),
        ReceiveError::Storage(error) => lost(error),
    }
}
