//! The id of a storage, in the object `.vitrine`. It is no object of the listing.

use bytes::Bytes;
use futures::stream::TryStreamExt as _;
use kernel::Uid;

use crate::{Key, Storage, StorageError};

/// Longer objects are not ids.
const MAX: u64 = 64;

impl Storage {
    /// Returns the id of the storage, or `None` if it has none.
    ///
    /// # Errors
    /// [`StorageError::Settings`] if the object does not hold an id, and disk and network errors.
    pub async fn id(&self) -> Result<Option<Uid>, StorageError> {
        let object = match self.open_object(&Key::storage_id(), None).await {
            Ok(object) => object,
            Err(StorageError::Missing) => return Ok(None),
            Err(error) => return Err(error),
        };
        let unreadable =
            || StorageError::Settings("the object .vitrine in the storage holds no id".to_owned());
        if object.len > MAX {
            return Err(unreadable());
        }
        let bytes: Vec<Bytes> = object.stream.try_collect().await?;
        let text = String::from_utf8(bytes.concat()).map_err(|_| unreadable())?;
        text.trim().parse().map(Some).map_err(|_| unreadable())
    }

    /// Gives the storage an id, instead of the one that it may have.
    ///
    /// # Errors
    /// If it cannot be written.
    pub async fn set_id(&self, id: Uid) -> Result<(), StorageError> {
        self.put(&Key::storage_id(), Bytes::from(format!("{id}\n"))).await
    }
}
