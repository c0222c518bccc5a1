//! Receives a stream: counted, hashed and written as it arrives, visible only once it is committed.

use std::fmt::Display;
use std::io;

use bytes::Bytes;
use futures::{Stream, StreamExt as _};
use sha2::{Digest as _, Sha256};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::batch::{Batch, Chunk};
use crate::local::LocalSink;
use crate::remote::RemoteSink;
use crate::{HEAD_BYTES, StorageError};

/// What is known about a stream once all of it has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// Length in bytes.
    pub len: u64,
    /// MD5 of the whole stream.
    pub md5: [u8; 16],
    /// SHA-256 of the whole stream.
    pub sha256: [u8; 32],
    /// The first bytes of the stream, at most [`HEAD_BYTES`].
    pub head: Vec<u8>,
}

/// Why a stream was not received. Nothing of it is left in the storage.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    /// The stream ended early.
    #[error("the stream ended after {got} of {expected} bytes")]
    TooShort {
        /// Bytes received.
        got: u64,
        /// Bytes announced.
        expected: u64,
    },
    /// The stream continued beyond the announced length.
    #[error("the stream is longer than the {expected} bytes announced")]
    TooLong {
        /// Bytes announced.
        expected: u64,
    },
    /// The sender disconnected or its stream failed.
    #[error("the stream broke: {0}")]
    Broken(String),
    /// The stream could not be written.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Where the bytes are written.
pub(crate) enum Sink {
    Local(LocalSink),
    Remote(RemoteSink),
}

/// A stream that is safely stored next to its key but not visible. Dropping it removes it.
pub struct Staged {
    received: Received,
    sink: Sink,
}

impl Staged {
    /// Returns what is known about the stream.
    pub fn received(&self) -> &Received {
        &self.received
    }

    /// Makes the stream visible under its key, replacing what was there. Once this returns, it survives a
    /// power failure.
    ///
    /// # Errors
    /// If the disk or the object store fails. Nothing has become visible then.
    pub async fn commit(self) -> Result<Received, StorageError> {
        match self.sink {
            Sink::Local(sink) => sink.commit().await?,
            Sink::Remote(sink) => sink.commit().await?,
        }
        Ok(self.received)
    }
}

/// Receives a stream of `expected` bytes.
pub(crate) async fn receive<S, E>(mut sink: Sink, expected: u64, stream: S) -> Result<Staged, ReceiveError>
where
    S: Stream<Item = Result<Bytes, E>> + Send,
    E: Display,
{
    let mut stream = std::pin::pin!(stream);
    let mut batch = Batch::default();
    let mut hashes = Hashes::of(fast_md5::Md5::new(), Sha256::new());
    let mut head = Vec::new();
    let mut len = 0_u64;
    while let Some(frame) = stream.next().await {
        let frame = frame.map_err(|error| ReceiveError::Broken(error.to_string()))?;
        len += frame.len() as u64;
        if len > expected {
            return Err(ReceiveError::TooLong { expected });
        }
        if head.len() < HEAD_BYTES {
            head.extend_from_slice(&frame[..frame.len().min(HEAD_BYTES - head.len())]);
        }
        if let Some(chunk) = batch.push(frame) {
            put(&mut sink, &mut hashes, chunk).await?;
        }
    }
    if let Some(chunk) = batch.rest() {
        put(&mut sink, &mut hashes, chunk).await?;
    }
    if len < expected {
        return Err(ReceiveError::TooShort { got: len, expected });
    }
    match &mut sink {
        Sink::Local(sink) => sink.finish().await?,
        Sink::Remote(sink) => sink.finish().await?,
    }
    let (md5, sha256) = hashes.finish().await?;
    let received = Received { len, md5: md5.finalize(), sha256: sha256.finalize().into(), head };
    Ok(Staged { received, sink })
}

/// Hands a chunk to the hashes and the sink. Returns when they have finished the previous chunk, so that at
/// most two chunks of a stream are in memory.
async fn put<M: Md5>(sink: &mut Sink, hashes: &mut Hashes<M>, chunk: Chunk) -> Result<(), StorageError> {
    hashes.feed(&chunk).await?;
    match sink {
        Sink::Local(sink) => sink.write(chunk).await,
        Sink::Remote(sink) => sink.write(&chunk).await,
    }
}

/// An MD5 in progress: either the faster implementation, or the one whose state can be saved.
pub(crate) trait Md5: Send + 'static {
    fn feed(&mut self, bytes: &[u8]);
}

impl Md5 for fast_md5::Md5 {
    fn feed(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

impl Md5 for md5::Md5 {
    fn feed(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

/// MD5 and SHA-256 of one stream, each on its own thread while there is something to hash. An idle sender
/// holds no thread.
pub(crate) struct Hashes<M> {
    md5: BlockingWorker<M>,
    sha256: BlockingWorker<Sha256>,
}

impl<M: Md5> Hashes<M> {
    pub(crate) fn of(md5: M, sha256: Sha256) -> Self {
        Self { md5: BlockingWorker::new(md5), sha256: BlockingWorker::new(sha256) }
    }

    pub(crate) async fn feed(&mut self, chunk: &Chunk) -> Result<(), StorageError> {
        let (one, two) = (Chunk::clone(chunk), Chunk::clone(chunk));
        let md5 = move |md5: &mut M| {
            one.iter().for_each(|frame| md5.feed(frame));
            Ok(())
        };
        let sha256 = move |sha256: &mut Sha256| {
            two.iter().for_each(|frame| sha256.update(frame));
            Ok(())
        };
        self.md5.run(md5).await?;
        self.sha256.run(sha256).await
    }

    async fn finish(mut self) -> Result<(M, Sha256), StorageError> {
        Ok((self.md5.take().await?, self.sha256.take().await?))
    }
}

impl<M: Md5 + Clone> Hashes<M> {
    /// Returns the states of both hashes after everything that was fed.
    pub(crate) async fn states(&mut self) -> Result<(M, Sha256), StorageError> {
        let (md5, sha256) = (self.md5.take().await?, self.sha256.take().await?);
        *self = Self::of(md5.clone(), sha256.clone());
        Ok((md5, sha256))
    }
}

/// State that is changed by background steps, one at a time.
pub(crate) enum BlockingWorker<T> {
    Idle(T),
    Busy(JoinHandle<io::Result<T>>),
    /// The previous step failed or was never awaited to its end, so the state is gone.
    Lost,
}

impl<T: Send + 'static> BlockingWorker<T> {
    pub(crate) fn new(state: T) -> Self {
        Self::Idle(state)
    }

    /// Waits for the previous step and starts this one.
    pub(crate) async fn run(
        &mut self,
        step: impl FnOnce(&mut T) -> io::Result<()> + Send + 'static,
    ) -> Result<(), StorageError> {
        let mut state = self.take().await?;
        *self = Self::Busy(spawn_blocking(move || step(&mut state).map(|()| state)));
        Ok(())
    }

    /// Waits for the last step and takes the state out.
    pub(crate) async fn take(&mut self) -> Result<T, StorageError> {
        match std::mem::replace(self, Self::Lost) {
            Self::Idle(state) => Ok(state),
            Self::Busy(step) => Ok(step.await??),
            Self::Lost => Err(StorageError::Stopped),
        }
    }
}
