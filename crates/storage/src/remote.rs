//! Objects in an S3 bucket. A stream is a multipart upload that is completed by its commit; uploads that a
//! crash left open are ended by the bucket's own lifecycle rule (docs: going to production).

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures::stream::{StreamExt as _, TryStreamExt as _};
use kernel::{Millis, Uid};
use object_store::aws::AmazonS3Builder;
use object_store::path::Path as Location;
use object_store::{GetOptions, GetRange, ObjectStore as _, ObjectStoreExt as _, WriteMultipart};
use tokio::io::AsyncWriteExt as _;

use crate::batch::Piece;
use crate::local::begun;
use crate::resume::Bucket;
use crate::{ByteRange, Key, Object, StorageError, StorageSettings};

/// Smallest part of a multipart upload.
const PART: u64 = 8 * 1024 * 1024;
/// Parts an upload may have; S3 allows 10,000.
const PARTS: u64 = 9_000;
/// Parts of one upload on their way at once: with [`PART`] this bounds the memory of an upload.
const PARTS_UNDERWAY: usize = 2;
const STAGING: &str = "staging";

/// A bucket of objects.
pub(crate) struct Remote {
    store: Arc<dyn Bucket>,
    prefix: String,
}

impl Remote {
    pub(crate) fn open(
        settings: &StorageSettings,
        bucket: &str,
        prefix: String,
    ) -> Result<Self, StorageError> {
        let mut builder = AmazonS3Builder::new().with_bucket_name(bucket);
        if !settings.s3_endpoint.is_empty() {
            let plain = settings.s3_endpoint.starts_with("http://");
            builder = builder.with_endpoint(&settings.s3_endpoint).with_allow_http(plain);
        }
        if !settings.s3_region.is_empty() {
            builder = builder.with_region(&settings.s3_region);
        }
        if !settings.s3_access_key.is_empty() {
            builder = builder
                .with_access_key_id(&settings.s3_access_key)
                .with_secret_access_key(&settings.s3_secret_key);
        }
        Ok(Self::over(Arc::new(builder.build()?), prefix))
    }

    pub(crate) fn over(store: Arc<dyn Bucket>, prefix: String) -> Self {
        Self { store, prefix }
    }

    pub(crate) fn store(&self) -> &Arc<dyn Bucket> {
        &self.store
    }

    /// Where what is too short for a part lies between two requests of a stream.
    pub(crate) fn tails(&self, place: Uid) -> Location {
        self.at(&format!("{STAGING}/{place}"))
    }

    /// Bytes of each part of an object but the last.
    pub(crate) fn part_bytes(&self, expected: u64) -> u64 {
        PART.max(expected / PARTS + 1)
    }

    pub(crate) fn at(&self, path: &str) -> Location {
        match self.prefix.as_str() {
            "" => Location::from(path),
            prefix => Location::from(format!("{prefix}/{path}")),
        }
    }

    /// Whether the bucket answers.
    pub(crate) async fn check(&self) -> Result<(), StorageError> {
        match self.store.head(&self.at("ready")).await {
            Ok(_) => return Ok(()),
            Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        // That does not tell a bucket that is not there from one that lacks the object.
        match self.store.list(Some(&self.at("ready"))).try_next().await {
            Ok(_) => Ok(()),
            Err(error) => Err(StorageError::Settings(format!(
                "storage_url names a bucket that is not there, or that may not be listed ({error})"
            ))),
        }
    }

    /// Removes tails of streams that nobody goes on with and that were written before `before`.
    pub(crate) async fn sweep(&self, before: Millis, kept: HashSet<Uid>) -> Result<u64, StorageError> {
        let mut found = self.store.list(Some(&self.at(STAGING)));
        let mut swept = 0;
        while let Some(meta) = found.try_next().await? {
            let mut names = meta.location.parts().rev().map(|part| part.as_ref().parse::<Uid>());
            let (Some(Ok(tail)), Some(Ok(place))) = (names.next(), names.next()) else { continue };
            if begun(tail) < before && !kept.contains(&place) {
                self.store.delete(&meta.location).await?;
                swept += 1;
            }
        }
        Ok(swept)
    }

    pub(crate) async fn stage(&self, key: &Key, expected: u64) -> Result<RemoteSink, StorageError> {
        let upload = self.store.put_multipart(&self.at(key.as_str())).await?;
        let part = usize::try_from(self.part_bytes(expected)).unwrap_or(usize::MAX);
        Ok(RemoteSink { writer: Some(WriteMultipart::new_with_chunk_size(upload, part)) })
    }

    /// A small object in one request, where an upload in parts needs three.
    pub(crate) async fn put(&self, key: &Key, bytes: Bytes) -> Result<(), StorageError> {
        self.store.put(&self.at(key.as_str()), bytes.into()).await?;
        Ok(())
    }

    pub(crate) async fn open_object(
        &self,
        key: &Key,
        range: Option<ByteRange>,
    ) -> Result<Object, StorageError> {
        let location = self.at(key.as_str());
        let asked = match range {
            None => None,
            Some(ByteRange::Between(first, last)) => Some(GetRange::Bounded(first..last.saturating_add(1))),
            Some(ByteRange::From(first)) => Some(GetRange::Offset(first)),
            // Not every server knows the last so many bytes, and some fail when there are fewer.
            Some(last @ ByteRange::Last(_)) => {
                let len = self.stat(key).await?;
                Some(GetRange::Bounded(last.within(len).ok_or(StorageError::OutsideObject { len })?))
            }
        };
        match self.store.get_opts(&location, GetOptions { range: asked, ..GetOptions::default() }).await {
            Ok(got) => {
                let (len, range) = (got.meta.size, got.range.clone());
                let stream = got.into_stream().map_err(StorageError::from).boxed();
                Ok(Object { len, range, stream, file: None })
            }
            Err(error @ object_store::Error::NotFound { .. }) => Err(error.into()),
            // Whether the range or something else was wrong is seen from the object's length alone.
            Err(error) => match range {
                None => Err(error.into()),
                Some(range) => {
                    let len = self.store.head(&location).await?.size;
                    Err(if range.within(len).is_none() {
                        StorageError::OutsideObject { len }
                    } else {
                        error.into()
                    })
                }
            },
        }
    }

    pub(crate) async fn stat(&self, key: &Key) -> Result<u64, StorageError> {
        Ok(self.store.head(&self.at(key.as_str())).await?.size)
    }

    pub(crate) async fn delete(&self, key: &Key) -> Result<(), StorageError> {
        match self.store.delete(&self.at(key.as_str())).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn delete_below(&self, prefix: &str) -> Result<(), StorageError> {
        let found = self.store.list(Some(&self.at(prefix))).map_ok(|meta| meta.location).boxed();
        Ok(self.store.delete_stream(found).try_for_each(|_| async { Ok(()) }).await?)
    }

    pub(crate) async fn fetch_to(&self, key: &Key, path: &Path) -> Result<(), StorageError> {
        let mut stream = self.open_object(key, None).await?.stream;
        let mut file = tokio::fs::File::create_new(path).await?;
        while let Some(chunk) = stream.try_next().await? {
            file.write_all(&chunk).await?;
        }
        Ok(file.flush().await?)
    }
}

/// A stream on its way to a bucket.
pub(crate) struct RemoteSink {
    /// Taken by the commit; what is left when it is dropped is aborted.
    writer: Option<WriteMultipart>,
}

impl RemoteSink {
    pub(crate) async fn write(&mut self, piece: &Piece) -> Result<(), StorageError> {
        let writer = self.writer.as_mut().ok_or(StorageError::Stopped)?;
        for frame in piece.iter() {
            writer.wait_for_capacity(PARTS_UNDERWAY).await?;
            writer.put(Bytes::clone(frame));
        }
        Ok(())
    }

    /// Waits until the parts under way have arrived.
    pub(crate) async fn finish(&mut self) -> Result<(), StorageError> {
        let writer = self.writer.as_mut().ok_or(StorageError::Stopped)?;
        Ok(writer.wait_for_capacity(1).await?)
    }

    pub(crate) async fn commit(mut self) -> Result<(), StorageError> {
        let writer = self.writer.take().ok_or(StorageError::Stopped)?;
        writer.finish().await?;
        Ok(())
    }
}

impl Drop for RemoteSink {
    fn drop(&mut self) {
        let (Some(writer), Ok(runtime)) = (self.writer.take(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        runtime.spawn(async move {
            if let Err(error) = writer.abort().await {
                tracing::warn!(%error, "an unfinished upload could not be aborted at the object store");
            }
        });
    }
}
