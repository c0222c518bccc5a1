//! Removes entries of the audit log, of the operator's log and of the list of removals that are older than they are kept.

use ::jobs::JobError;
use kernel::Millis;
use sea_orm::DbErr;

use crate::{Orgs, removals, store};

/// Entries removed in one transaction.
const BATCH: u64 = 1_000;

impl Orgs {
    /// Returns the same handle, whose job removes entries of the audit logs after this time.
    #[must_use]
    pub fn with_audit_kept(mut self, kept: Millis) -> Self {
        self.audit_kept = kept;
        self
    }

    /// Removes old entries of the audit logs. Runs as the schedule `prune_audit`.
    pub async fn prune_audit_log(&self) -> Result<(), JobError> {
        run(self).await
    }
}

/// Returns whether there is anything to remove.
pub async fn has_work(orgs: &Orgs) -> Result<bool, DbErr> {
    let (read, now) = (orgs.db.read(), orgs.ambient.now());
    let before = now - orgs.audit_kept;
    Ok(store::audit::has_older(read, before).await?
        || store::admin_log::has_older(read, before).await?
        || store::removal::has_older(read, now - removals::KEPT).await?)
}

pub async fn run(orgs: &Orgs) -> Result<(), JobError> {
    let now = orgs.ambient.now();
    let before = now - orgs.audit_kept;
    loop {
        let tx = orgs.db.write_tx().await?;
        let removed = store::audit::remove_old(&tx, before, BATCH).await?;
        let removed = removed.max(store::admin_log::remove_old(&tx, before, BATCH).await?);
        let removed = removed.max(store::removal::remove_old(&tx, now - removals::KEPT, BATCH).await?);
        tx.commit().await?;
        if removed < BATCH {
            return Ok(());
        }
        db::pause_after_page().await;
    }
}
