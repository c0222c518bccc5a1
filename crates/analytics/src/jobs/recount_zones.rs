//! Cuts the days of organisations anew whose time zone was changed, as far as their events are still stored.

use sea_orm::DbErr;

use crate::store::zone_cut;
use crate::{Analytics, Error};

/// Returns whether there is an organisation whose days are not cut in its zone.
pub async fn has_work(analytics: Analytics) -> Result<bool, DbErr> {
    Ok(!zone_cut::outdated(analytics.deps.db.read()).await?.is_empty())
}

impl Analytics {
    /// Counts the events of organisations again whose time zone was changed. Runs as the schedule `recount_zones`.
    ///
    /// # Errors
    /// If the events of an organisation could not be counted, after the others were.
    pub async fn recount_zones(&self) -> Result<(), Error> {
        let mut outcome = Ok(());
        for org in zone_cut::outdated(self.deps.db.read()).await? {
            if let Err(error) = self.recount(org).await {
                tracing::error!(%org, %error, "the days of an organisation could not be cut in its time zone");
                outcome = Err(error);
            }
        }
        outcome
    }
}
