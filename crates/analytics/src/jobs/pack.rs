//! Packs the counted views of weeks that are over, so that reports about audiences read a week at a time.

use kernel::{DAY, Timestamp};
use sea_orm::DbErr;

use crate::Analytics;
use crate::store::view_packs;
use crate::view_pack::WEEK;

/// How long after its end a week is packed, which is more than clocks of servers differ. Later views unpack it again.
const DELAY: kernel::Millis = DAY;
/// Weeks of items packed in one transaction.
const PAGE: i64 = 100;

/// Returns the first and the last start of weeks that may be packed: those that lose no views soon and are over.
fn weeks(analytics: &Analytics) -> (Timestamp, Timestamp) {
    let now = analytics.deps.ambient.now();
    (now - analytics.history_kept, now - DELAY - WEEK)
}

/// Returns whether there is a week to pack.
pub async fn has_work(analytics: Analytics) -> Result<bool, DbErr> {
    Ok(!view_packs::unpacked(analytics.deps.db.read(), weeks(&analytics), 1).await?.is_empty())
}

impl Analytics {
    /// Packs the views of weeks that are over. Runs as the schedule `pack_views`.
    ///
    /// # Errors
    /// If a statement fails, or a stored view cannot be read.
    pub async fn pack_views(&self) -> Result<(), DbErr> {
        let db = &self.deps.db;
        loop {
            let page = view_packs::unpacked(db.read(), weeks(self), PAGE).await?;
            if page.is_empty() {
                return Ok(());
            }
            for keys in page.chunk_by(|one, next| one.org == next.org) {
                let Some(first) = keys.first() else { continue };
                let tx = db.write_tx_on(first.org).await?;
                tx.lock(first.org).await?;
                for key in keys {
                    view_packs::pack(&tx, *key).await?;
                }
                tx.commit().await?;
            }
            db::pause_after_page().await;
        }
    }
}
