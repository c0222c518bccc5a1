//! A resumable stream in a bucket: a multipart upload whose parts are recorded one by one. Between two
//! requests, the bytes that do not fill a part (the tail) are kept in a separate object, so any server can
//! continue the stream.
//!
//! Two servers that append to the same stream do no harm: the first to save its progress wins, a tail is
//! never overwritten, and the store refuses to complete an upload with a part that was replaced since.

use std::sync::Arc;

use bytes::Bytes;
use futures::stream::TryStreamExt as _;
use kernel::{Ambient, ResumableId, Uid};
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path as Location;
use object_store::{ObjectStore, ObjectStoreExt as _, PutPayload};

use crate::StorageError;
use crate::batch::Chunk;
use crate::remote::Remote;
use crate::resume::Progress;
use crate::resume::progress::UploadParts;

/// A store with multipart uploads that outlive a process.
pub trait Bucket: ObjectStore + MultipartStore {}

impl<T: ObjectStore + MultipartStore> Bucket for T {}

/// The multipart upload and the bytes that do not fill a part yet.
pub(crate) struct BucketSink {
    store: Arc<dyn Bucket>,
    ambient: Ambient,
    location: Location,
    /// Prefix of this stream's tails.
    tails: Location,
    part_bytes: u64,
    expected: u64,
    parts: UploadParts,
    buffer: Vec<Bytes>,
    buffered: u64,
    /// The object is already stored under its key: a process died between completing the upload and recording
    /// it.
    complete: bool,
}

impl Remote {
    /// Continues the stream from the saved progress.
    pub(crate) async fn resume(
        &self,
        stream: ResumableId,
        ambient: Ambient,
        expected: u64,
        progress: &Progress,
    ) -> Result<BucketSink, StorageError> {
        let mut sink = BucketSink {
            store: Arc::clone(self.store()),
            ambient,
            location: self.at(&progress.key),
            tails: self.tails(stream),
            part_bytes: Self::part_bytes(expected),
            expected,
            parts: progress.parts.clone(),
            buffer: Vec::new(),
            buffered: 0,
            complete: false,
        };
        // The progress that needed this tail has been superseded by a saved one.
        if let Some(stale) = sink.parts.stale.take() {
            delete_if_exists(&*sink.store, &sink.tails.clone().join(stale)).await?;
            sink.parts.stale_bytes = 0;
        }
        let full = sink.parts.done.len() as u64 * sink.part_bytes;
        if let Some(tail) = &sink.parts.tail {
            let bytes = sink.store.get(&sink.tails.clone().join(tail.as_str())).await?.bytes().await?;
            sink.buffered = bytes.len() as u64;
            sink.buffer.push(bytes);
        }
        // If the lengths differ, the tail is not the one that was saved.
        if full + sink.buffered != progress.len && !sink.check_complete().await? {
            return Err(StorageError::Missing);
        }
        Ok(sink)
    }

    /// Removes what is left of a stream. Succeeds if nothing is left.
    pub(crate) async fn discard(&self, stream: ResumableId, progress: &Progress) -> Result<(), StorageError> {
        // The store rejects an upload that was completed or aborted before, and each store words that error
        // differently. An upload that stays open for another reason is ended by the bucket's lifecycle rule.
        if let Some(upload) = &progress.parts.upload
            && let Err(error) = self.store().abort_multipart(&self.at(&progress.key), upload).await
        {
            tracing::info!(%error, "a multipart upload had already ended, or could not be aborted");
        }
        let found = self.store().list(Some(&self.tails(stream))).map_ok(|meta| meta.location);
        found
            .map_err(StorageError::from)
            .try_for_each(|tail| async move { delete_if_exists(&**self.store(), &tail).await })
            .await
    }
}

async fn delete_if_exists(store: &dyn Bucket, location: &Location) -> Result<(), StorageError> {
    match store.delete(location).await {
        Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

impl BucketSink {
    pub(crate) async fn write(&mut self, chunk: &Chunk) -> Result<(), StorageError> {
        for frame in chunk.iter() {
            self.buffered += frame.len() as u64;
            self.buffer.push(Bytes::clone(frame));
        }
        // `ResumableStream` splits the stream at part boundaries, so at most one part is buffered.
        if self.buffered >= self.part_bytes { self.send().await } else { Ok(()) }
    }

    /// Sends the buffered bytes as the next part.
    async fn send(&mut self) -> Result<(), StorageError> {
        let payload = self.payload();
        if self.complete {
            return Ok(());
        }
        let upload = match &self.parts.upload {
            Some(upload) => upload.clone(),
            None => self.parts.upload.insert(self.store.create_multipart(&self.location).await?).clone(),
        };
        match self.store.put_part(&self.location, &upload, self.parts.done.len(), payload).await {
            Ok(part) => self.parts.done.push(part.content_id),
            // Each store words the error for a completed upload differently, so the object itself is checked.
            Err(error) => return if self.check_complete().await? { Ok(()) } else { Err(error.into()) },
        }
        Ok(())
    }

    fn payload(&mut self) -> PutPayload {
        self.buffered = 0;
        self.buffer.drain(..).collect()
    }

    /// Returns true if the complete object is stored under its key. It was verified before it was put there.
    async fn check_complete(&mut self) -> Result<bool, StorageError> {
        self.complete = match self.store.head(&self.location).await {
            Ok(meta) => meta.size == self.expected,
            Err(object_store::Error::NotFound { .. }) => false,
            Err(error) => return Err(error.into()),
        };
        Ok(self.complete)
    }

    /// Saves the bytes that do not fill a part where they outlive the process, and returns the state to
    /// record.
    pub(crate) async fn keep(&mut self) -> Result<UploadParts, StorageError> {
        let before = self.parts.tail.take();
        if before.is_some() {
            (self.parts.stale, self.parts.stale_bytes) = (before, self.parts.tail_bytes);
            self.parts.tail_bytes = 0;
        }
        if self.buffered > 0 && !self.complete {
            let name = self.ambient.uid::<Uid>().to_string();
            let payload: PutPayload = self.buffer.iter().cloned().collect();
            self.store.put(&self.tails.clone().join(name.as_str()), payload).await?;
            (self.parts.tail, self.parts.tail_bytes) = (Some(name), self.buffered);
        }
        Ok(self.parts.clone())
    }

    /// Returns what the bucket holds of the stream.
    pub(crate) fn parts(&self) -> UploadParts {
        self.parts.clone()
    }

    /// Sends the last part of a multipart upload. A stream shorter than one part is stored as a single
    /// object.
    pub(crate) async fn finish(&mut self) -> Result<(), StorageError> {
        match self.parts.upload {
            Some(_) if self.buffered > 0 => self.send().await,
            _ => Ok(()),
        }
    }

    pub(crate) async fn commit(&mut self) -> Result<(), StorageError> {
        if self.complete {
            return Ok(());
        }
        let Some(upload) = self.parts.upload.clone() else {
            let payload = self.payload();
            self.store.put(&self.location, payload).await?;
            return Ok(());
        };
        let parts =
            self.parts.done.iter().map(|content_id| PartId { content_id: content_id.clone() }).collect();
        match self.store.complete_multipart(&self.location, &upload, parts).await {
            Ok(_) => {
                self.parts.upload = None;
                Ok(())
            }
            // An earlier attempt may have succeeded although its response was lost.
            Err(error) => {
                if self.check_complete().await? {
                    Ok(())
                } else {
                    Err(error.into())
                }
            }
        }
    }
}
