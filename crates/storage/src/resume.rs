//! Receives a stream that arrives in several requests: what was kept of it stays, and hashing continues where
//! it stopped.
//!
//! The caller feeds frames to an [`Appending`] and saves the [`Progress`] that [`Appending::keep`] returns.
//! Everything up to that point survives a crash, everything after it is forgotten. Nothing is hashed twice
//! and nothing is visible before [`Whole::commit`].

mod bucket;
mod folder;
mod progress;

use bytes::Bytes;
use sha2::Digest as _;

pub use bucket::Bucket;
pub(crate) use bucket::BucketPart;
pub(crate) use folder::FolderPart;
use progress::Parts;
pub use progress::Progress;

use crate::batch::{Batch, Piece};
use crate::receive::Hashes;
use crate::{HEAD_BYTES, ReceiveError, Received, StorageError};

/// Where the bytes are written.
pub(crate) enum Part {
    Folder(FolderPart),
    Bucket(BucketPart),
}

impl Part {
    async fn write(&mut self, piece: Piece) -> Result<(), StorageError> {
        match self {
            Self::Folder(part) => part.write(piece).await,
            Self::Bucket(part) => part.write(&piece).await,
        }
    }

    fn parts(&self) -> Parts {
        match self {
            Self::Folder(_) => Parts::default(),
            Self::Bucket(part) => part.parts(),
        }
    }
}

/// A resumable stream being received. Dropping it forgets the bytes received since the last [`Self::keep`].
pub struct Appending {
    part: Part,
    batch: Batch,
    hashes: Hashes<md5::Md5>,
    head: Vec<u8>,
    key: String,
    len: u64,
    expected: u64,
    /// Bytes after which the progress should be kept.
    step: u64,
}

impl Appending {
    pub(crate) fn new(part: Part, progress: Progress, expected: u64, step: u64) -> Self {
        Self {
            part,
            batch: Batch::default(),
            hashes: Hashes::of(progress.md5, progress.sha256),
            head: progress.head,
            key: progress.key,
            len: progress.len,
            expected,
            step,
        }
    }

    /// Returns the number of bytes received, kept or not.
    pub fn offset(&self) -> u64 {
        self.len
    }

    /// Returns true if the whole stream has been received.
    pub fn is_whole(&self) -> bool {
        self.len == self.expected
    }

    /// Takes the frame or the beginning of it, in which case the caller passes the rest again. Returns true
    /// if the progress should be kept now.
    ///
    /// # Errors
    /// If more than the announced length arrives, or it cannot be written.
    pub async fn write(&mut self, frame: &mut Bytes) -> Result<bool, ReceiveError> {
        let room = self.step - self.len % self.step;
        let taken = frame.split_to(frame.len().min(usize::try_from(room).unwrap_or(usize::MAX)));
        self.len += taken.len() as u64;
        if self.len > self.expected {
            return Err(ReceiveError::TooLong { expected: self.expected });
        }
        if self.head.len() < HEAD_BYTES {
            self.head.extend_from_slice(&taken[..taken.len().min(HEAD_BYTES - self.head.len())]);
        }
        if let Some(piece) = self.batch.push(taken) {
            self.put(piece).await?;
        }
        if !self.len.is_multiple_of(self.step) {
            return Ok(false);
        }
        self.flush().await?;
        Ok(true)
    }

    async fn put(&mut self, piece: Piece) -> Result<(), StorageError> {
        self.hashes.feed(&piece).await?;
        self.part.write(piece).await
    }

    async fn flush(&mut self) -> Result<(), StorageError> {
        match self.batch.rest() {
            Some(piece) => self.put(piece).await,
            None => Ok(()),
        }
    }

    /// Makes everything received so far survive a crash, provided the caller saves the returned progress.
    /// That progress stays valid until the next one is saved.
    ///
    /// # Errors
    /// If the disk or the object store fails. What was kept before stays valid.
    pub async fn keep(&mut self) -> Result<Progress, StorageError> {
        self.flush().await?;
        let parts = match &mut self.part {
            Part::Folder(part) => {
                part.keep().await?;
                Parts::default()
            }
            Part::Bucket(part) => part.keep().await?,
        };
        let (md5, sha256) = self.hashes.states().await?;
        Ok(Progress { key: self.key.clone(), len: self.len, md5, sha256, head: self.head.clone(), parts })
    }

    /// Forgets the bytes received since the last [`Self::keep`] and returns once another process can continue
    /// the stream.
    pub async fn let_go(mut self) {
        // Whether the last write succeeded no longer matters.
        if let Part::Folder(part) = &mut self.part {
            part.rest().await;
        }
    }

    /// Ends the stream, all of which must have been received.
    ///
    /// # Errors
    /// If it is shorter than announced or cannot be written. What was kept before stays valid.
    pub async fn finish(mut self) -> Result<Whole, ReceiveError> {
        if self.len < self.expected {
            return Err(ReceiveError::TooShort { got: self.len, expected: self.expected });
        }
        self.flush().await?;
        match &mut self.part {
            Part::Folder(part) => part.keep().await?,
            Part::Bucket(part) => part.finish().await?,
        }
        let (md5, sha256) = self.hashes.states().await?;
        let received = Received {
            len: self.len,
            md5: md5.clone().finalize().into(),
            sha256: sha256.clone().finalize().into(),
            head: self.head.clone(),
        };
        let parts = self.part.parts();
        let progress = Progress { key: self.key, len: self.len, md5, sha256, head: self.head, parts };
        Ok(Whole { received, part: self.part, progress })
    }
}

/// A complete stream that is stored next to its key but not visible. Dropping it releases the stream and
/// removes nothing: [`crate::Storage::discard`] does that, once it is certain how the stream ended.
pub struct Whole {
    received: Received,
    part: Part,
    progress: Progress,
}

impl Whole {
    /// Returns what is known about the stream.
    pub fn received(&self) -> &Received {
        &self.received
    }

    /// Makes the stream visible under its key. Once this returns, it survives a power failure. No other
    /// process can append to the stream before this value is dropped.
    ///
    /// # Errors
    /// If the disk or the object store fails. What was kept before stays valid.
    pub async fn commit(&mut self) -> Result<(), StorageError> {
        match &mut self.part {
            Part::Folder(part) => part.commit().await,
            Part::Bucket(part) => part.commit().await,
        }
    }

    /// Releases the stream. [`crate::Storage::discard`] removes what is left of it.
    pub fn into_progress(self) -> Progress {
        Progress { parts: self.part.parts(), ..self.progress }
    }
}
