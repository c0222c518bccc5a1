//! Packs the counted views of weeks that are over, so that reports about audiences read a week at a time.

use kernel::{DAY, Timestamp};
use sea_orm::DbErr;

use crate::Analytics;
use crate::store::view_packs::{self, WeekKey};
use crate::view_pack::WEEK;

/// How long after its end a week is packed, which is more than clocks of servers differ. Later views unpack it again.
const DELAY: kernel::Millis = DAY;
/// Weeks of items that are looked up at once.
const PAGE: i64 = 100;

/// Returns the first and the last start of weeks that may be packed: those that lose no views soon and are over.
fn weeks(analytics: &Analytics) -> (Timestamp, Timestamp) {
    let now = analytics.deps.ambient.now();
    (now - analytics.history_kept, now - DELAY - WEEK)
}

/// Returns whether there is a week to pack.
pub async fn has_work(analytics: Analytics) -> Result<bool, DbErr> {
    Ok(!view_packs::unpacked(analytics.deps.db.read(), weeks(&analytics), None, 1).await?.is_empty())
}

impl Analytics {
    /// Packs the views of weeks that are over. Runs as the schedule `pack_views`.
    ///
    /// # Errors
    /// If a week could not be packed, after the others were.
    pub async fn pack_views(&self) -> Result<(), DbErr> {
        let (mut last, mut outcome) = (None, Ok(()));
        loop {
            let page = view_packs::unpacked(self.deps.db.read(), weeks(self), last, PAGE).await?;
            if page.is_empty() {
                return outcome;
            }
            for key in &page {
                if let Err(error) = self.pack_week(*key).await {
                    tracing::error!(org = %key.org, subject = %key.subject, %error, "a week of views could not be packed");
                    outcome = Err(error);
                }
            }
            last = page.last().copied();
            db::pause_after_page().await;
        }
    }

    /// Packs one week in its own transaction: a week may have many views, and others wait for the lock.
    async fn pack_week(&self, key: WeekKey) -> Result<(), DbErr> {
        let tx = self.deps.db.write_tx_on(key.org).await?;
        tx.lock(key.org).await?;
        view_packs::pack(&tx, key).await?;
        tx.commit().await
    }
}
