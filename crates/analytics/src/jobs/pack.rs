//! Packs the counted views of days that are over, so that reports about audiences read a week at a time.

use kernel::{DAY, HOUR, Timestamp};
use sea_orm::DbErr;

use crate::Analytics;
use crate::store::view_packs::{self, SubjectWeek};
use crate::view_pack::utc_day;

/// How long after its end a day is packed. Later views unpack it again.
const DELAY: kernel::Millis = HOUR;
/// Days of items that are looked up at once.
const PAGE: i64 = 700;
/// Weeks packed in one transaction: a week may have many views, and others wait for the lock.
const TOGETHER: usize = 10;

/// Returns the first and the last start of days that may be packed: those that lose no views soon and are over.
fn days(analytics: &Analytics) -> (Timestamp, Timestamp) {
    let now = analytics.deps.ambient.now();
    (now - analytics.history_kept, utc_day(now - DELAY) - DAY)
}

/// Returns whether there is a week to pack.
pub async fn has_work(analytics: Analytics) -> Result<bool, DbErr> {
    view_packs::has_unpacked(analytics.deps.db.read(), days(&analytics)).await
}

impl Analytics {
    /// Packs the views of days that are over, a week at a time. Runs as the schedule `pack_views`.
    ///
    /// # Errors
    /// If a week could not be packed, after the others were.
    pub async fn pack_views(&self) -> Result<(), DbErr> {
        let (days, mut last, mut outcome) = (days(self), None, Ok(()));
        loop {
            let page = view_packs::unpacked(self.deps.db.read(), days, last, PAGE).await?;
            if page.is_empty() {
                return outcome;
            }
            for weeks in page.chunk_by(|one, next| one.org == next.org).flat_map(|keys| keys.chunks(TOGETHER))
            {
                if self.pack_weeks(weeks, days.1).await.is_ok() {
                    continue;
                }
                for key in weeks {
                    if let Err(error) = self.pack_weeks(std::slice::from_ref(key), days.1).await {
                        tracing::error!(org = %key.org, subject = %key.subject, %error, "a week of views could not be packed");
                        outcome = Err(error);
                    }
                }
            }
            last = page.last().copied();
            db::pause_after_page().await;
        }
    }

    /// Packs weeks of an organisation in one transaction.
    async fn pack_weeks(&self, weeks: &[SubjectWeek], last: Timestamp) -> Result<(), DbErr> {
        let Some(SubjectWeek { org, .. }) = weeks.first().copied() else { return Ok(()) };
        let tx = self.deps.db.write_tx_on(org).await?;
        for key in weeks {
            view_packs::pack(&tx, *key, last, self.deps.ambient.now()).await?;
        }
        tx.commit().await
    }
}
