//! Where segments are kept.

use bytes::Bytes;
use futures::TryStreamExt as _;
use futures::stream::BoxStream;
use storage::{Key, ListedObject, Storage, StorageError};

/// Keeps the segments of archived events, which have the events of one organisation and UTC day each. A segment never
/// changes: it is put, read, and deleted.
#[async_trait::async_trait]
pub trait EventArchive: Send + Sync + 'static {
    /// Keeps a segment.
    async fn put(&self, key: &Key, segment: Bytes) -> Result<(), StorageError>;

    /// Returns a segment in pieces; [`StorageError::Missing`] if there is none.
    async fn read(&self, key: &Key) -> Result<Vec<Bytes>, StorageError>;

    /// Returns the length of a segment; [`StorageError::Missing`] if there is none.
    async fn length(&self, key: &Key) -> Result<u64, StorageError>;

    /// Deletes a segment. Succeeds if there is none.
    async fn delete(&self, key: &Key) -> Result<(), StorageError>;

    /// Lists all segments, in no particular order.
    fn list(&self) -> BoxStream<'static, Result<ListedObject, StorageError>>;
}

#[async_trait::async_trait]
impl EventArchive for Storage {
    async fn put(&self, key: &Key, segment: Bytes) -> Result<(), StorageError> {
        Self::put(self, key, segment).await
    }

    async fn read(&self, key: &Key) -> Result<Vec<Bytes>, StorageError> {
        self.open_object(key, None).await?.stream.try_collect().await
    }

    async fn length(&self, key: &Key) -> Result<u64, StorageError> {
        self.stat(key).await
    }

    async fn delete(&self, key: &Key) -> Result<(), StorageError> {
        Self::delete(self, key).await
    }

    fn list(&self) -> BoxStream<'static, Result<ListedObject, StorageError>> {
        self.list_events()
    }
}
