//! Receives a stream: counted, hashed and written as it arrives, visible only once it is committed.

use std::fmt::Display;

use bytes::Bytes;
use futures::{Stream, StreamExt as _};
use sha2::{Digest as _, Sha256};

use crate::batch::{Batch, Chunk};
use crate::hashing::{Hashes, Md5};
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
