//! Gives up, every hour, files that nobody works on any more: their job was given up before it could say so.

use std::collections::HashSet;

use jobs::Failure;
use kernel::{MINUTE, Millis, Uid};
use sea_orm::{ConnectionTrait, DbErr};

use super::ProcessFile;
use crate::{Content, store};

/// After how long in silence a worker is taken for dead; a living one is heard of twice a minute.
const WORKER_LIFE: Millis = 15 * MINUTE;

/// Ends the processing of such files as interrupted, so that a person can start it again.
pub async fn run(room: &Content, now: Millis) -> Result<(), Failure> {
    let tx = room.db.write_tx().await?;
    store::making::give_up(&tx, now - WORKER_LIFE).await?;
    tx.commit().await?;
    // The files first: a job that ends between the two reads has said how it ended.
    let queued = store::making::queued(room.db.read()).await?;
    if queued.is_empty() {
        return Ok(());
    }
    let waiting = waiting(room, room.db.read()).await?;
    for (org, uid) in queued.into_iter().filter(|(_, uid)| !waiting.contains(uid)) {
        let tx = room.db.write_tx_on(org).await?;
        if !is_waiting(room, &tx, uid).await? && store::making::give_up_queued(&tx, uid).await? {
            tracing::warn!(content = %uid, "the job of a queued file is gone; the file is given up");
        }
        tx.commit().await?;
    }
    Ok(())
}

/// Returns true if a job for this content's file waits or runs.
pub async fn is_waiting(room: &Content, conn: &impl ConnectionTrait, uid: Uid) -> Result<bool, DbErr> {
    Ok(waiting(room, conn).await?.contains(&uid))
}

async fn waiting(room: &Content, conn: &impl ConnectionTrait) -> Result<HashSet<Uid>, DbErr> {
    let jobs = room.jobs.open::<ProcessFile>(conn).await?;
    Ok(jobs.into_iter().map(|job| job.content).collect())
}
