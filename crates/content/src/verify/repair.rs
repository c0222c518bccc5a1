//! Repairs of what the checks found, where it is safe.

use futures::TryStreamExt as _;
use kernel::{ContentId, DAY, Finding};

use crate::jobs::{HEARTBEAT_TIMEOUT, Requeue, is_waiting, requeue};
use crate::store::object::{ObjectKind, StoredObject};
use crate::{Content, Error, SweepError, store};

impl Content {
    /// Repairs a finding of [`Self::verify`]: queues a file again whose processing is stuck, records a stored file again,
    /// and removes orphans. Returns what was done, or `None` if nothing can be done.
    ///
    /// # Errors
    /// Fails if the database or the storage does not answer.
    pub async fn repair(&self, finding: &Finding) -> Result<Option<String>, Error> {
        match (finding.check.as_str(), finding.id.parse::<ContentId>()) {
            ("processing", Ok(id)) => self.unstick(id).await,
            ("object_record", Ok(id)) => self.record_again(id).await,
            ("orphans", _) => Ok(Some(self.remove_orphans().await?)),
            _ => Ok(None),
        }
    }

    async fn unstick(&self, id: ContentId) -> Result<Option<String>, Error> {
        let Some(org) = store::content::org_of(self.db.read(), id).await? else { return Ok(None) };
        let tx = self.db.write_tx_on(org).await?;
        if is_waiting(self, &tx, id).await? {
            return Ok(None);
        }
        store::processing_run::give_up_one(&tx, id, self.ambient.now() - HEARTBEAT_TIMEOUT).await?;
        match requeue(self, &tx, (org, id), Requeue::Unprocessed).await {
            Ok(_) => {}
            Err(Error::ProcessingState(_) | Error::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        }
        tx.commit().await?;
        Ok(Some("queued again".to_owned()))
    }

    async fn record_again(&self, id: ContentId) -> Result<Option<String>, Error> {
        let Some(org) = store::content::org_of(self.db.read(), id).await? else { return Ok(None) };
        let tx = self.db.write_tx_on(org).await?;
        let Some(item) = store::content::by_id(&tx, org, id).await? else { return Ok(None) };
        let (Some(source), Some(file)) = (&item.source, &item.file) else { return Ok(None) };
        let key = item.source_key(source.version);
        let object = StoredObject::of_content(org, id, &key, ObjectKind::Source, file.size);
        let object = object.with_upload(crate::item::upload_of(source.version));
        store::object::record_referenced(&tx, object).await?;
        tx.commit().await?;
        Ok(Some("recorded again".to_owned()))
    }

    async fn remove_orphans(&self) -> Result<String, Error> {
        let mut orphans = Box::pin(self.orphans(DAY));
        let (mut objects, mut bytes) = (0_u64, 0_u64);
        while let Some(orphan) = orphans.try_next().await.map_err(storage_or_database)? {
            self.remove_orphan(&orphan).await.map_err(storage_or_database)?;
            objects += 1;
            bytes += orphan.len;
        }
        Ok(format!("{objects} objects with {bytes} bytes were removed"))
    }
}

fn storage_or_database(error: SweepError) -> Error {
    match error {
        SweepError::Storage(error) => error.into(),
        SweepError::Database(error) => error.into(),
    }
}
