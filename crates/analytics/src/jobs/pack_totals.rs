//! Packs the totals of the content items of organisations in which many items were watched, and again when a day begins,
//! because Home shows all of them and the most viewed of 28 days.

use kernel::{DAY, OrgId};
use sea_orm::DbErr;

use crate::Analytics;
use crate::definitions::zone::Zone;
use crate::store::total_packs::{self, POPULAR_SPAN};

/// Returns whether there is an organisation whose totals are to be packed.
pub async fn has_work(analytics: Analytics) -> Result<bool, DbErr> {
    Ok(!analytics.orgs_to_pack().await?.is_empty())
}

impl Analytics {
    /// Packs the totals of items, an organisation at a time. Runs as the schedule `pack_totals`.
    ///
    /// # Errors
    /// If the totals of an organisation could not be packed, after the others were.
    pub async fn pack_totals(&self) -> Result<(), DbErr> {
        let mut outcome = Ok(());
        for org in self.orgs_to_pack().await? {
            if let Err(error) = self.pack_totals_of(org).await {
                tracing::error!(%org, %error, "the totals of an organisation could not be packed");
                outcome = Err(error);
            }
            db::pause_after_page().await;
        }
        outcome
    }

    async fn pack_totals_of(&self, org: OrgId) -> Result<(), DbErr> {
        let tx = self.deps.db.write_tx_on(org).await?;
        let zone = Zone::named(&self.deps.orgs.time_zone(&tx, org).await?);
        total_packs::pack(&tx, org, zone.day(self.deps.ambient.now() - POPULAR_SPAN)).await?;
        tx.commit().await
    }

    async fn orgs_to_pack(&self) -> Result<Vec<OrgId>, DbErr> {
        // A pack is made again 24 hours after its first recent day began: an hour late or early after a day on which the
        // clock changed.
        total_packs::to_pack(self.deps.db.read(), self.deps.ambient.now() - POPULAR_SPAN - DAY).await
    }
}
