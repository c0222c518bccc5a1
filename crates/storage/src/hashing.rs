//! Hashes of a stream while it arrives.

use sha2::{Digest as _, Sha256};

use crate::StorageError;
use crate::batch::Chunk;
use crate::blocking::BlockingWorker;

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

    /// Returns the final states of both hashes.
    pub(crate) async fn finish(mut self) -> Result<(M, Sha256), StorageError> {
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
