//! Removes entries of the ledger whose points are worth nothing any more, and old records of emails.

use ::jobs::JobError;
use kernel::Timestamp;
use sea_orm::DbErr;

use crate::{Leads, emails, store};

/// Rows per transaction.
const CHUNK: i64 = 1_000;

/// Returns whether there is anything to remove.
pub async fn has_work(leads: Leads) -> Result<bool, DbErr> {
    let (conn, now) = (leads.db.read(), leads.ambient.now());
    Ok(store::ledger::any_before(conn, leads.ledger_since(now)).await?
        || store::email::any_before(conn, emails::remembered_since(now)).await?)
}

impl Leads {
    /// Returns the first day whose entries are kept.
    fn ledger_since(&self, now: Timestamp) -> i64 {
        (now - self.ledger_kept).days()
    }
}

/// Removes old entries of the ledger and old records of emails, in transactions of bounded size.
pub async fn run(leads: &Leads) -> Result<(), JobError> {
    let now = leads.ambient.now();
    loop {
        let tx = leads.db.write_tx().await?;
        let entries = store::ledger::remove_before(&tx, leads.ledger_since(now), CHUNK).await?;
        let emails = store::email::remove_before(&tx, emails::remembered_since(now), CHUNK).await?;
        tx.commit().await?;
        if i64::try_from(entries.max(emails)).unwrap_or(i64::MAX) < CHUNK {
            return Ok(());
        }
        db::pause_after_page().await;
    }
}
