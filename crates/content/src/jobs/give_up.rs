//! Marks files as failed, every hour, whose job was abandoned before it could record the failure.

use std::collections::HashSet;

use jobs::JobError;
use kernel::{ContentId, MINUTE, Millis, Timestamp};
use sea_orm::{ConnectionTrait, DbErr};

use super::ProcessFile;
use crate::store::processing_run::QueuedItem;
use crate::{Content, store};

/// Time without a heartbeat after which a worker counts as dead; a live one sends two a minute.
pub const HEARTBEAT_TIMEOUT: Millis = 15 * MINUTE;

/// Ends the processing of such files as interrupted, so that it can be started again by hand.
pub async fn run(content: &Content, now: Timestamp) -> Result<(), JobError> {
    let tx = content.db.write_tx().await?;
    store::processing_run::give_up(&tx, now - HEARTBEAT_TIMEOUT).await?;
    tx.commit().await?;
    for QueuedItem { org, uid } in queued_without_job(content).await? {
        let tx = content.db.write_tx_on(org).await?;
        if !is_waiting(content, &tx, uid).await? && store::processing_run::give_up_queued(&tx, uid).await? {
            tracing::warn!(content = %uid, "the job of a queued file is gone; processing is marked as failed");
        }
        tx.commit().await?;
    }
    Ok(())
}

/// Returns whether [`run`] would end anything.
pub async fn has_work(content: &Content, now: Timestamp) -> Result<bool, DbErr> {
    Ok(store::processing_run::any_dead(content.db.read(), now - HEARTBEAT_TIMEOUT).await?
        || !queued_without_job(content).await?.is_empty())
}

async fn queued_without_job(content: &Content) -> Result<Vec<QueuedItem>, DbErr> {
    // Files are read first: a job that ends between the two reads has recorded how it ended.
    let mut queued = store::processing_run::queued(content.db.read()).await?;
    if !queued.is_empty() {
        let waiting = waiting(content, content.db.read()).await?;
        queued.retain(|item| !waiting.contains(&item.uid));
    }
    Ok(queued)
}

/// Returns whether a job for this item's file is waiting or running.
pub async fn is_waiting(
    content: &Content,
    conn: &impl ConnectionTrait,
    uid: ContentId,
) -> Result<bool, DbErr> {
    Ok(waiting(content, conn).await?.contains(&uid))
}

async fn waiting(content: &Content, conn: &impl ConnectionTrait) -> Result<HashSet<ContentId>, DbErr> {
    let jobs = content.jobs.active::<ProcessFile>(conn).await?;
    Ok(jobs.into_iter().map(|job| job.content).collect())
}
