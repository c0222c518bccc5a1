//! Keeps the records of stored objects accurate: a record is written before its object and removed after it,
//! so a crash in between leaves no object without a record.

use kernel::Uid;
use sea_orm::DbErr;
use storage::{Key, Progress};

use crate::store::object::{ObjectKind, StoredObject};
use crate::{Content, Error, store};

impl Content {
    /// Records an object that will be written next and that no row refers to yet.
    pub(crate) async fn intend(&self, object: StoredObject) -> Result<(), Error> {
        let tx = self.db.write_tx().await?;
        store::object::record(&tx, object, self.ambient.now()).await?;
        Ok(tx.commit().await?)
    }

    /// Removes an object and then its record. Succeeds if there is none.
    pub(crate) async fn erase(&self, key: &Key) -> Result<(), Error> {
        self.storage.delete(key).await?;
        Ok(self.forget_object(key.as_str()).await?)
    }

    /// Removes the output of one processing run, and then its record.
    pub(crate) async fn erase_rendition(&self, org: Uid, content: Uid, set: Uid) -> Result<(), Error> {
        self.storage.delete_rendition(org, content, set).await?;
        Ok(self.forget_object(&Key::rendition_folder(org, content, set)).await?)
    }

    /// Removes the bytes received for a resumable upload, and then their record.
    pub(crate) async fn discard(&self, place: Uid, progress: &Progress) -> Result<(), Error> {
        self.storage.discard(place, progress).await?;
        Ok(self.forget_object(&staged_path(place)).await?)
    }

    pub(crate) async fn forget_object(&self, path: &str) -> Result<(), DbErr> {
        let tx = self.db.write_tx().await?;
        store::object::remove(&tx, path).await?;
        tx.commit().await
    }
}

/// Returns the path under which a resumable upload is recorded until it is complete.
pub fn staged_path(place: Uid) -> String {
    format!("staging/{place}")
}

impl StoredObject {
    /// Describes an object of a content item by its key.
    pub fn of_content(org: Uid, content: Uid, key: &Key, kind: ObjectKind, bytes: u64) -> Self {
        let path = key.as_str().to_owned();
        Self { path, org: Some(org), content: Some(content), upload: None, kind, bytes }
    }

    /// Sets the upload that brought the object.
    #[must_use]
    pub fn by(self, upload: Uid) -> Self {
        Self { upload: Some(upload), ..self }
    }
}
