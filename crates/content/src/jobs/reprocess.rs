//! Processes files again: for staff after a failure, for the operator, and to repair stored data.

use db::WriteTx;
use kernel::{ContentId, OrgId};
use orgs::{AuditAction, AuditRecord, AuditSubject};
use sea_orm::DbErr;

use crate::error::ProcessingStateError;
use crate::item::Item;
use crate::jobs::{ProcessFile, is_waiting};
use crate::model::Processing;
use crate::store::processing_run::QueuedItem;
use crate::{Content, Error, store};

/// Which files may be queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requeue {
    /// Those whose processing failed or was never begun.
    Unprocessed,
    /// Also those that were processed.
    Any,
}

/// Queues the file of an item again, as part of `tx`, which must hold the organisation's lock.
///
/// # Errors
/// [`Error::NotFound`], or [`Error::ProcessingState`] if it is being processed or there is nothing to process.
pub async fn requeue(
    content: &Content,
    tx: &WriteTx,
    (org, id): (OrgId, ContentId),
    which: Requeue,
) -> Result<Item, Error> {
    let item = store::content::by_id(tx, org, id).await?.ok_or(Error::NotFound)?;
    let version = match (&item.source, item.processing) {
        (_, Processing::Running) => return Err(Error::ProcessingState(ProcessingStateError::UnderWay)),
        // A queued file whose job was lost may be queued again.
        (_, Processing::Queued) if is_waiting(content, tx, id).await? => {
            return Err(Error::ProcessingState(ProcessingStateError::UnderWay));
        }
        (_, Processing::Done) if which == Requeue::Unprocessed => {
            return Err(Error::ProcessingState(ProcessingStateError::Nothing));
        }
        (Some(source), _) if item.kind.is_processed() => source.version,
        _ => return Err(Error::ProcessingState(ProcessingStateError::Nothing)),
    };
    if !store::processing_run::queue(tx, org, id).await? {
        return Err(Error::ProcessingState(ProcessingStateError::UnderWay));
    }
    content.jobs.enqueue(tx, &ProcessFile { org, content: id, version }).await?;
    store::content::by_id(tx, org, id).await?.ok_or(Error::NotFound)
}

impl Content {
    /// Returns a page of the items whose processing failed, of one organisation or of all, after the id `after`.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn failed(
        &self,
        org: Option<OrgId>,
        after: ContentId,
        limit: u64,
    ) -> Result<Vec<(OrgId, ContentId)>, DbErr> {
        let failed = store::processing_run::failed(self.db.read(), org, after, limit).await?;
        Ok(failed.into_iter().map(|QueuedItem { org, uid }| (org, uid)).collect())
    }

    /// Processes the file of an item again, also if that succeeded before; what was made then is served until it is
    /// replaced. All of it is part of the caller's transaction. The organisation's audit log gets an entry without a person.
    /// Returns the title.
    ///
    /// # Errors
    /// [`Error::NotFound`], or [`Error::ProcessingState`] if it is being processed or there is nothing to process.
    pub async fn reprocess(&self, tx: &WriteTx, id: ContentId) -> Result<String, Error> {
        let org = store::content::org_of(tx, id).await?.ok_or(Error::NotFound)?;
        tx.lock(org).await?;
        let item = requeue(self, tx, (org, id), Requeue::Any).await?;
        let action = AuditAction::ContentReprocessed;
        let record = AuditRecord::new(AuditSubject::Org(org), None, action, id.into()).named(&item.title);
        self.orgs.record(tx, record).await?;
        Ok(item.title)
    }
}
