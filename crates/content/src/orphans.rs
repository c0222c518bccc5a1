//! Finds and removes orphans: stored objects that no row refers to.

use db::{Db, WriteTx};
use futures::stream::{Stream, TryStreamExt as _};
use kernel::{Clock as _, HOUR, Millis, SystemClock};
use sea_orm::DbErr;
use storage::{ListedObject, Owner, StorageError};

use crate::{Content, store};

/// Objects looked up in one query.
const PAGE: usize = 500;

/// Why the search for orphans failed.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The storage failed.
    #[error("storage: {0}")]
    Storage(#[from] StorageError),
    /// The database failed.
    #[error("database: {0}")]
    Database(#[from] DbErr),
}

impl Content {
    /// Minimum age of an orphan. Younger objects may still get a row: writing an object and committing its
    /// row are seconds apart.
    pub const ORPHAN_MIN_AGE: Millis = HOUR;

    /// Returns the objects that no row refers to and no upload in progress may need, if they are older than
    /// `age` by the system clock. `age` is at least [`Self::ORPHAN_MIN_AGE`].
    pub fn orphans(
        &self,
        age: Millis,
    ) -> impl Stream<Item = Result<ListedObject, SweepError>> + Send + use<> {
        let before = SystemClock.now() - age.max(Self::ORPHAN_MIN_AGE);
        let db = self.db.clone();
        let old = self.storage.list().try_filter(move |object| {
            let is_old = object.modified < before;
            async move { is_old }
        });
        old.map_err(SweepError::from)
            .try_chunks(PAGE)
            .map_err(|error| error.1)
            .and_then(move |page| {
                let db = db.clone();
                async move { unreferenced(&db, page).await }
            })
            .map_ok(|page| futures::stream::iter(page.into_iter().map(Ok)))
            .try_flatten()
    }

    /// Removes an orphan and its record. No row can refer to it later: the id in its key is never reused.
    ///
    /// # Errors
    /// If the storage or the database does not answer.
    pub async fn remove_orphan(&self, orphan: &ListedObject) -> Result<(), SweepError> {
        self.remove_orphan_file(orphan).await?;
        let tx = self.db.write_tx().await?;
        self.remove_orphan_record(&tx, orphan).await?;
        Ok(tx.commit().await?)
    }

    /// Removes the file of an orphan, to be followed by [`Self::remove_orphan_record`].
    ///
    /// # Errors
    /// If the storage does not answer.
    pub async fn remove_orphan_file(&self, orphan: &ListedObject) -> Result<(), SweepError> {
        Ok(self.storage.delete(&orphan.key).await?)
    }

    /// Removes the record of an orphan whose file is gone, in the caller's transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn remove_orphan_record(&self, tx: &WriteTx, orphan: &ListedObject) -> Result<(), DbErr> {
        store::object::remove(tx, orphan.key.as_str()).await
    }
}

/// Returns the objects that no row refers to.
async fn unreferenced(db: &Db, page: Vec<ListedObject>) -> Result<Vec<ListedObject>, SweepError> {
    let owners: Vec<Owner> = page.iter().filter_map(|object| object.key.owner()).collect();
    let references = store::references::among(db.read(), &owners).await?;
    let orphan = |object: &ListedObject| object.key.owner().is_some_and(|owner| !references.contains(&owner));
    Ok(page.into_iter().filter(orphan).collect())
}
