//! Removes entries of the audit log and of the operator's log that are older than 24 months.

use ::jobs::JobError;
use sea_orm::DbErr;

use crate::audit::RETENTION;
use crate::{Orgs, store};

/// Entries removed in one transaction.
const BATCH: u64 = 1_000;

/// Returns whether there is anything to remove.
pub async fn has_work(orgs: &Orgs) -> Result<bool, DbErr> {
    let (read, before) = (orgs.db.read(), orgs.ambient.now() - RETENTION);
    Ok(store::audit::has_older(read, before).await? || store::admin_log::has_older(read, before).await?)
}

pub async fn run(orgs: &Orgs) -> Result<(), JobError> {
    let before = orgs.ambient.now() - RETENTION;
    loop {
        let tx = orgs.db.write_tx().await?;
        let removed = store::audit::remove_old(&tx, before, BATCH).await?;
        let removed = removed.max(store::admin_log::remove_old(&tx, before, BATCH).await?);
        tx.commit().await?;
        if removed < BATCH {
            return Ok(());
        }
        db::pause_after_page().await;
    }
}
