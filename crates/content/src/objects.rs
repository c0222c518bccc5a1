//! Keeps the records of stored objects accurate: a record is written before its object and removed after it,
//! so a crash in between leaves no object without a record.

use kernel::{ContentId, OrgId, ResumableId, RunId, UploadId};
use sea_orm::DbErr;
use storage::{Key, Progress};

use crate::store::object::{ObjectKind, StoredObject};
use crate::{Content, Error, store};

impl Content {
    /// Records objects that will be written next and that no row refers to yet.
    pub(crate) async fn record_objects(&self, objects: Vec<StoredObject>) -> Result<(), Error> {
        let tx = self.db.write_tx().await?;
        for object in objects {
            store::object::record(&tx, object, self.ambient.now()).await?;
        }
        Ok(tx.commit().await?)
    }

    /// Removes an object and then its record. Succeeds if there is none.
    pub(crate) async fn erase(&self, key: &Key) -> Result<(), Error> {
        self.storage.delete(key).await?;
        Ok(self.remove_object_record(key.as_str()).await?)
    }

    /// Removes objects and then their records, in one transaction. Succeeds for those that do not exist.
    pub(crate) async fn erase_all(&self, keys: &[Key]) -> Result<(), Error> {
        for key in keys {
            self.storage.delete(key).await?;
        }
        let tx = self.db.write_tx().await?;
        store::object::remove_all(&tx, keys).await?;
        Ok(tx.commit().await?)
    }

    /// Removes the output of one processing run, and then its record.
    pub(crate) async fn erase_rendition(
        &self,
        org: OrgId,
        content: ContentId,
        run: RunId,
    ) -> Result<(), Error> {
        self.storage.delete_rendition(org, content, run).await?;
        Ok(self.remove_object_record(&Key::rendition_folder(org, content, run)).await?)
    }

    /// Removes the bytes received for a resumable upload, and then their record.
    pub(crate) async fn discard(&self, uid: ResumableId, progress: &Progress) -> Result<(), Error> {
        self.storage.discard(uid, progress).await?;
        Ok(self.remove_object_record(&staged_path(uid)).await?)
    }

    pub(crate) async fn remove_object_record(&self, path: &str) -> Result<(), DbErr> {
        let tx = self.db.write_tx().await?;
        store::object::remove(&tx, path).await?;
        tx.commit().await
    }
}

/// Returns the path under which a resumable upload is recorded until it is complete.
pub fn staged_path(uid: ResumableId) -> String {
    format!("staging/{uid}")
}

impl StoredObject {
    /// Describes an object of a content item by its key.
    pub fn of_content(org: OrgId, content: ContentId, key: &Key, kind: ObjectKind, bytes: u64) -> Self {
        let path = key.as_str().to_owned();
        Self { path, org: Some(org), content: Some(content), upload: None, kind, bytes }
    }

    /// Sets the upload that created the object.
    #[must_use]
    pub fn with_upload(self, upload: UploadId) -> Self {
        Self { upload: Some(upload), ..self }
    }
}
