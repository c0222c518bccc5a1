//! Removes entries of the ledger whose points are worth nothing any more, and old records of emails.

use ::jobs::JobError;
use sea_orm::DbErr;

use crate::{Leads, emails, store};

/// How long entries of the ledger are kept, in days: 13 months. After that, 25 points are worth 0.001.
const RETENTION_DAYS: i64 = 397;
/// Rows per transaction.
const CHUNK: i64 = 1_000;

/// Returns whether there is anything to remove.
pub async fn has_work(leads: Leads) -> Result<bool, DbErr> {
    let (conn, now) = (leads.db.read(), leads.ambient.now());
    Ok(store::ledger::any_before(conn, now.days() - RETENTION_DAYS).await?
        || store::email::any_before(conn, emails::remembered_since(now)).await?)
}

/// Removes old entries of the ledger and old records of emails, in transactions of bounded size.
pub async fn run(leads: &Leads) -> Result<(), JobError> {
    let now = leads.ambient.now();
    loop {
        let tx = leads.db.write_tx().await?;
        let entries = store::ledger::remove_before(&tx, now.days() - RETENTION_DAYS, CHUNK).await?;
        let emails = store::email::remove_before(&tx, emails::remembered_since(now), CHUNK).await?;
        tx.commit().await?;
        if i64::try_from(entries.max(emails)).unwrap_or(i64::MAX) < CHUNK {
            return Ok(());
        }
        db::pause_after_page().await;
    }
}
