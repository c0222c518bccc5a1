//! Removes what is no longer needed: the salts of anonymous names, and with them all that connects these names with
//! people, after four days; events, views and histories after the time that is set, usually thirteen months. Totals stay.

use kernel::{DAY, Millis, Timestamp};
use sea_orm::DbErr;

use crate::archive::Archive;
use crate::definitions::{NAMES_KEPT_DAYS, day_of};
use crate::{Analytics, store};

/// How much longer events are kept that should be in the archive.
const ARCHIVE_SLACK: Millis = 31 * DAY;

/// Returns whether anything is older than it is kept.
pub async fn has_work(analytics: Analytics) -> Result<bool, DbErr> {
    let Limits { day, time, events } = Limits::of(&analytics);
    store::purge::any(analytics.deps.db.read(), day, time, events).await
}

/// Removes it, a page per transaction.
pub async fn run(analytics: &Analytics) -> Result<(), DbErr> {
    let Limits { day, time, events } = Limits::of(analytics);
    // The salts last: while there is one, a removal that was interrupted is repeated.
    store::purge::remove_named(&analytics.deps.db, day).await?;
    let tx = analytics.deps.db.write_tx().await?;
    store::names::remove_salts_before(&tx, day).await?;
    tx.commit().await?;
    store::purge::remove(&analytics.deps.db, time).await?;
    store::purge::remove_events(&analytics.deps.db, events).await
}

impl Analytics {
    /// Removes what is no longer kept. Runs as the schedule `purge_analytics`.
    ///
    /// # Errors
    /// If a statement fails.
    pub async fn purge(&self) -> Result<(), DbErr> {
        run(self).await
    }

    /// Returns the same handle, whose job removes events, views and histories after this time.
    #[must_use]
    pub fn with_history_kept(mut self, kept: Millis) -> Self {
        self.history_kept = kept;
        self
    }
}

/// Until when something is removed.
struct Limits {
    /// First UTC day whose names are kept.
    day: i64,
    /// First instant whose views and histories are kept.
    time: Timestamp,
    /// First instant whose events are kept. With an archive they leave by way of it, long before; what it could not read goes
    /// a month later than without one.
    events: Timestamp,
}

impl Limits {
    fn of(analytics: &Analytics) -> Self {
        let now = analytics.deps.ambient.now();
        let time = now - analytics.history_kept;
        let has_archive = analytics.archive.as_deref().is_some_and(Archive::is_enabled);
        let events = if has_archive { time - ARCHIVE_SLACK } else { time };
        Self { day: day_of(now) - NAMES_KEPT_DAYS, time, events }
    }
}
