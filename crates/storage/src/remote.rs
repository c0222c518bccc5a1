//! Objects in an S3 bucket. A stream is a multipart upload that its commit completes. Uploads that a crash
//! left open are ended by the bucket's lifecycle rule (see `deploy/README.md`).

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{StreamExt as _, TryStreamExt as _};
use kernel::{ResumableId, Timestamp, Uid};
use object_store::aws::AmazonS3Builder;
use object_store::path::Path as Location;
use object_store::{ClientOptions, ObjectStore as _, ObjectStoreExt as _, WriteMultipart};
use tokio::io::AsyncWriteExt as _;

use crate::batch::Chunk;
use crate::local::created_at;
use crate::resume::Bucket;
use crate::{ByteRange, Key, Object, StorageError, StorageSettings, chunks};

/// Smallest part of a multipart upload.
const PART: u64 = 8 * 1024 * 1024;
/// Most parts of an upload; S3 allows 10,000.
const PARTS: u64 = 9_000;
/// Parts of one upload in flight at once. With [`PART`], this bounds the memory of an upload.
const PARTS_UNDERWAY: usize = 2;
const STAGING: &str = "staging";
/// Time limit for connecting to the object store.
const CONNECT: Duration = Duration::from_secs(5);
/// Time the object store may be silent during a read. A request as a whole has no limit, because people watch
/// videos over connections of any speed.
const READ_SILENCE: Duration = Duration::from_secs(30);
/// The same for writes: the object store is silent until it has received a whole part.
const WRITE_SILENCE: Duration = Duration::from_mins(2);

fn options(silence: Duration) -> ClientOptions {
    ClientOptions::new().with_timeout_disabled().with_connect_timeout(CONNECT).with_read_timeout(silence)
}

/// A bucket of objects.
pub(crate) struct Remote {
    store: Arc<dyn Bucket>,
    /// The same bucket through the client for reads.
    reads: Arc<dyn Bucket>,
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
            builder = builder.with_endpoint(&settings.s3_endpoint);
        }
        if !settings.s3_region.is_empty() {
            builder = builder.with_region(&settings.s3_region);
        }
        if !settings.s3_access_key.is_empty() {
            builder = builder
                .with_access_key_id(&settings.s3_access_key)
                .with_secret_access_key(&settings.s3_secret_key);
        }
        let plain = settings.s3_endpoint.starts_with("http://");
        let client =
            |silence| builder.clone().with_client_options(options(silence).with_allow_http(plain)).build();
        let (reads, writes) = (client(READ_SILENCE)?, client(WRITE_SILENCE)?);
        Ok(Self::new(Arc::new(writes), Arc::new(reads), prefix))
    }

    pub(crate) fn new(store: Arc<dyn Bucket>, reads: Arc<dyn Bucket>, prefix: String) -> Self {
        Self { store, reads, prefix }
    }

    pub(crate) fn store(&self) -> &Arc<dyn Bucket> {
        &self.store
    }

    /// Returns the prefix of a resumable stream's tails: the bytes that do not fill a part, kept between two
    /// requests.
    pub(crate) fn tails(&self, stream: ResumableId) -> Location {
        self.at(&format!("{STAGING}/{stream}"))
    }

    /// Returns the size of every part of an object but the last.
    pub(crate) fn part_bytes(expected: u64) -> u64 {
        PART.max(expected / PARTS + 1)
    }

    pub(crate) fn at(&self, path: &str) -> Location {
        match self.prefix.as_str() {
            "" => Location::from(path),
            prefix => Location::from(format!("{prefix}/{path}")),
        }
    }

    /// Fails if the bucket does not answer.
    pub(crate) async fn check(&self) -> Result<(), StorageError> {
        match self.reads.head(&self.at("ready")).await {
            Ok(_) => return Ok(()),
            Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        // A missing object and a missing bucket give the same answer.
        match self.reads.list(Some(&self.at("ready"))).try_next().await {
            Ok(_) => Ok(()),
            Err(error) => Err(StorageError::Settings(format!(
                "the bucket in storage_url does not exist or cannot be listed ({error})"
            ))),
        }
    }

    /// Removes tails that were written before `before` and whose streams are not in `kept`.
    pub(crate) async fn sweep(
        &self,
        before: Timestamp,
        kept: HashSet<ResumableId>,
    ) -> Result<u64, StorageError> {
        let mut found = self.reads.list(Some(&self.at(STAGING)));
        let mut swept = 0;
        while let Some(meta) = found.try_next().await? {
            let mut names = meta.location.parts().rev();
            let tail = names.next().and_then(|name| name.as_ref().parse::<Uid>().ok());
            let stream = names.next().and_then(|name| name.as_ref().parse::<ResumableId>().ok());
            let (Some(tail), Some(stream)) = (tail, stream) else { continue };
            if created_at(tail) < before && !kept.contains(&stream) {
                self.store.delete(&meta.location).await?;
                swept += 1;
            }
        }
        Ok(swept)
    }

    pub(crate) async fn stage(&self, key: &Key, expected: u64) -> Result<RemoteSink, StorageError> {
        let upload = self.store.put_multipart(&self.at(key.as_str())).await?;
        let part = usize::try_from(Self::part_bytes(expected)).unwrap_or(usize::MAX);
        Ok(RemoteSink { writer: Some(WriteMultipart::new_with_chunk_size(upload, part)) })
    }

    /// Stores a small object with one request; a multipart upload needs three.
    pub(crate) async fn put(&self, key: &Key, bytes: Bytes) -> Result<(), StorageError> {
        self.store.put(&self.at(key.as_str()), bytes.into()).await?;
        Ok(())
    }

    pub(crate) async fn open_object(
        &self,
        key: &Key,
        range: Option<ByteRange>,
    ) -> Result<Object, StorageError> {
        chunks::open(&self.reads, self.at(key.as_str()), range).await
    }

    pub(crate) async fn stat(&self, key: &Key) -> Result<u64, StorageError> {
        Ok(self.reads.head(&self.at(key.as_str())).await?.size)
    }

    pub(crate) async fn delete(&self, key: &Key) -> Result<(), StorageError> {
        match self.store.delete(&self.at(key.as_str())).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn delete_prefix(&self, prefix: &str) -> Result<(), StorageError> {
        let found = self.reads.list(Some(&self.at(prefix))).map_ok(|meta| meta.location).boxed();
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

/// A stream being written to a bucket.
pub(crate) struct RemoteSink {
    /// Taken by the commit. If it is still there on drop, the upload is aborted.
    writer: Option<WriteMultipart>,
}

impl RemoteSink {
    pub(crate) async fn write(&mut self, chunk: &Chunk) -> Result<(), StorageError> {
        let writer = self.writer.as_mut().ok_or(StorageError::Stopped)?;
        for frame in chunk.iter() {
            writer.wait_for_capacity(PARTS_UNDERWAY).await?;
            writer.put(Bytes::clone(frame));
        }
        Ok(())
    }

    /// Waits until the parts in flight have been stored.
    pub(crate) async fn finish(&mut self) -> Result<(), StorageError> {
        let writer = self.writer.as_mut().ok_or(StorageError::Stopped)?;
        Ok(writer.wait_for_capacity(1).await?)
    }

    pub(crate) async fn commit(mut self) -> Result<(), StorageError> {
        let writer = self.writer.take().ok_or(StorageError::Stopped)?;
        // Runs to completion even if the caller stops waiting: interrupted, it would leave its parts behind.
        tokio::spawn(writer.finish()).await??;
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
                tracing::warn!(%error, "an unfinished multipart upload could not be aborted");
            }
        });
    }
}
