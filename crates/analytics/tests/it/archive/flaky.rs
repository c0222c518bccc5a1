//! A bucket that fails, or changes what is stored in it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartId, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use tokio::sync::Notify;

/// The bucket, with what is wrong with it.
#[derive(Debug, Default)]
pub struct FlakyBucket {
    inner: InMemory,
    /// Whether it refuses objects.
    pub refuses: AtomicBool,
    /// Whether it stores other bytes than it gets.
    pub damages: AtomicBool,
    /// Whether it stores an object only after `proceed`; `reached` says when it waits.
    pub waits: AtomicBool,
    pub reached: Notify,
    pub proceed: Notify,
}

impl FlakyBucket {
    pub fn new() -> Arc<Self> {
        Arc::default()
    }
}

impl fmt::Display for FlakyBucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a flaky bucket")
    }
}

#[async_trait::async_trait]
impl ObjectStore for FlakyBucket {
    async fn put_opts(&self, location: &Path, payload: PutPayload, opts: PutOptions) -> Result<PutResult> {
        if self.refuses.load(Ordering::Relaxed) {
            return Err(Error::NotImplemented {
                operation: "put".into(),
                implementer: "a flaky bucket".into(),
            });
        }
        if self.waits.load(Ordering::Relaxed) {
            self.reached.notify_one();
            self.proceed.notified().await;
        }
        if self.damages.load(Ordering::Relaxed) {
            let mut bytes: Vec<u8> = payload.iter().flatten().copied().collect();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            return self.inner.put_opts(location, bytes.into(), opts).await;
        }
        self.inner.put_opts(location, payload, opts).await
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        opts: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(at, opts).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.inner.get_opts(location, options).await
    }

    fn delete_stream(&self, of: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(of)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

#[async_trait::async_trait]
impl MultipartStore for FlakyBucket {
    async fn create_multipart(&self, path: &Path) -> Result<MultipartId> {
        self.inner.create_multipart(path).await
    }

    async fn put_part(&self, path: &Path, id: &MultipartId, part: usize, data: PutPayload) -> Result<PartId> {
        self.inner.put_part(path, id, part, data).await
    }

    async fn complete_multipart(
        &self,
        path: &Path,
        id: &MultipartId,
        parts: Vec<PartId>,
    ) -> Result<PutResult> {
        self.inner.complete_multipart(path, id, parts).await
    }

    async fn abort_multipart(&self, path: &Path, id: &MultipartId) -> Result<()> {
        self.inner.abort_multipart(path, id).await
    }
}
