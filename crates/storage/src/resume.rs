//! Receives a stream that arrives in several requests: what was kept of it stays, and hashing continues where
//! it stopped.
//!
//! The caller feeds frames to a [`ResumableStream`] and saves the [`Progress`] that
//! [`ResumableStream::keep`] returns.
//! Everything up to that point survives a crash, everything after it is forgotten. Nothing is hashed twice
//! and nothing is visible before [`CompleteStream::commit`].

mod bucket;
mod folder;
mod progress;

use bytes::Bytes;
use sha2::Digest as _;

pub use bucket::Bucket;
pub(crate) use bucket::BucketSink;
pub(crate) use folder::FolderSink;
pub use progress::Progress;
use progress::UploadParts;

use crate::batch::{Batch, Chunk};
use crate::hashing::Hashes;
use crate::{HEAD_BYTES, ReceiveError, Received, StorageError};

/// Where the bytes are written.
pub(crate) enum ResumableSink {
    Folder(FolderSink),
    Bucket(BucketSink),
}

impl ResumableSink {
    async fn write(&mut self, chunk: Chunk) -> Result<(), StorageError> {
        match self {
            Self::Folder(sink) => sink.write(chunk).await,
            Self::Bucket(sink) => sink.write(&chunk).await,
        }
    }

    fn parts(&self) -> UploadParts {
        match self {
            Self::Folder(_) => UploadParts::default(),
            Self::Bucket(sink) => sink.parts(),
        }
    }
}

/// A resumable stream being received. Dropping it forgets the bytes received since the last [`Self::keep`].
pub struct ResumableStream {
    sink: ResumableSink,
    batch: Batch,
    hashes: Hashes<md5::Md5>,
    head: Vec<u8>,
    key: String,
    len: u64,
    expected: u64,
    /// Bytes after which the progress should be kept.
    step: u64,
}

impl ResumableStream {
    pub(crate) fn new(sink: ResumableSink, progress: Progress, expected: u64, step: u64) -> Self {
        Self {
            sink,
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
    pub fn is_complete(&self) -> bool {
        self.len == self.expected
    }

    /// Takes the frame or the beginning of it, in which case the caller passes the rest again. Returns true
    /// if the progress should be kept now.
    ///
    /// # Errors
    /// If more than the announced length arrives, or it cannot be written.
    pub async fn write(&mut self, frame: &mut Bytes) -> Result<bool, ReceiveError> {
        let left = self.step - self.len % self.step;
        let taken = frame.split_to(frame.len().min(usize::try_from(left).unwrap_or(usize::MAX)));
        self.len += taken.len() as u64;
        if self.len > self.expected {
            return Err(ReceiveError::TooLong { expected: self.expected });
        }
        if self.head.len() < HEAD_BYTES {
            self.head.extend_from_slice(&taken[..taken.len().min(HEAD_BYTES - self.head.len())]);
        }
        if let Some(chunk) = self.batch.push(taken) {
            self.put(chunk).await?;
        }
        if !self.len.is_multiple_of(self.step) {
            return Ok(false);
        }
        self.flush().await?;
        Ok(true)
    }

    async fn put(&mut self, chunk: Chunk) -> Result<(), StorageError> {
        self.hashes.feed(&chunk).await?;
        self.sink.write(chunk).await
    }

    async fn flush(&mut self) -> Result<(), StorageError> {
        match self.batch.rest() {
            Some(chunk) => self.put(chunk).await,
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
        let parts = match &mut self.sink {
            ResumableSink::Folder(sink) => {
                sink.keep().await?;
                UploadParts::default()
            }
            ResumableSink::Bucket(sink) => sink.keep().await?,
        };
        let (md5, sha256) = self.hashes.states().await?;
        Ok(Progress { key: self.key.clone(), len: self.len, md5, sha256, head: self.head.clone(), parts })
    }

    /// Forgets the bytes received since the last [`Self::keep`] and returns once another process can continue
    /// the stream.
    pub async fn release(mut self) {
        // Whether the last write succeeded no longer matters.
        if let ResumableSink::Folder(sink) = &mut self.sink {
            sink.truncate().await;
        }
    }

    /// Ends the stream, all of which must have been received.
    ///
    /// # Errors
    /// If it is shorter than announced or cannot be written. What was kept before stays valid.
    pub async fn finish(mut self) -> Result<CompleteStream, ReceiveError> {
        if self.len < self.expected {
            return Err(ReceiveError::TooShort { got: self.len, expected: self.expected });
        }
        self.flush().await?;
        match &mut self.sink {
            ResumableSink::Folder(sink) => sink.keep().await?,
            ResumableSink::Bucket(sink) => sink.finish().await?,
        }
        let (md5, sha256) = self.hashes.states().await?;
        let received = Received {
            len: self.len,
            md5: md5.clone().finalize().into(),
            sha256: sha256.clone().finalize().into(),
            head: self.head.clone(),
        };
        let parts = self.sink.parts();
        let progress = Progress { key: self.key, len: self.len, md5, sha256, head: self.head, parts };
        Ok(CompleteStream { received, sink: self.sink, progress })
    }
}

/// A complete stream that is stored next to its key but not visible. Dropping it releases the stream and
/// removes nothing: [`crate::Storage::discard`] does that, once it is certain how the stream ended.
pub struct CompleteStream {
    received: Received,
    sink: ResumableSink,
    progress: Progress,
}

impl CompleteStream {
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
        match &mut self.sink {
            ResumableSink::Folder(sink) => sink.commit().await,
            ResumableSink::Bucket(sink) => sink.commit().await,
        }
    }

    /// Releases the stream. [`crate::Storage::discard`] removes what is left of it.
    pub fn into_progress(self) -> Progress {
        Progress { parts: self.sink.parts(), ..self.progress }
    }
}
