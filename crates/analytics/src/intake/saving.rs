//! Writes what a batch changed.

use std::collections::BTreeMap;

use db::WriteTx;
use sea_orm::DbErr;

use super::aggregator::EventAggregator;
use crate::AnalyticsDeps;
use crate::store::raw::ItemKey;
use crate::store::{names, raw, states, sums, view_packs};
use crate::totals::{DayList, PlaylistKey, Sum};

impl EventAggregator {
    /// Writes all changes, ordered by key.
    pub async fn save(self, deps: &AnalyticsDeps, tx: &WriteTx) -> Result<(), DbErr> {
        let batch = &self.batch;
        raw::insert_batches(tx, self.recorded).await?;
        let views = self.views.iter().filter_map(|key| Some((*key, batch.views.get(key)?)));
        states::save_views(tx, views).await?;
        view_packs::unpack(tx, &self.weeks).await?;
        let coverage = self.coverage.iter().filter_map(|key| Some((*key, batch.coverage.get(key)?)));
        states::save_coverage(tx, coverage).await?;
        let visitors = self.visitors.iter().filter_map(|key| Some((*key, batch.visitors.get(key)?)));
        states::save_visitors(tx, visitors).await?;
        names::insert_starts(tx, &self.starts).await?;
        let hours = self.hours.iter().filter_map(|key| Some((*key, *batch.hours.get(key)?)));
        names::save_viewer_hours(tx, hours).await?;
        let lengths = self.lengths.iter().filter_map(|key| Some((*key, *batch.lengths.get(key)?)));
        raw::save_lengths(tx, lengths).await?;
        sums::add(tx, &self.totals).await?;
        sums::add_periods(tx, &self.totals).await?;
        sums::add_slots(tx, &self.totals).await?;
        sums::add_activity(tx, &self.activity).await?;
        let mut items: BTreeMap<ItemKey, Sum> = BTreeMap::new();
        for (key, sum) in self.totals.days.iter().filter(|(key, _)| key.list == DayList::Content) {
            let item = ItemKey { org: key.org, content: key.item.into() };
            items.entry(item).or_default().add(*sum);
        }
        for (ItemKey { org, content }, sum) in items {
            deps.content.add_stats(tx, org, content, sum.views, sum.watch_ms).await?;
        }
        for (PlaylistKey { org, playlist }, sum) in &self.totals.playlists {
            deps.playlists.add_watch_time(tx, *org, *playlist, sum.watch_ms).await?;
        }
        if let Some(interest) = deps.interest.as_ref().filter(|_| !self.signals.is_empty()) {
            interest.record(tx, &self.signals).await?;
        }
        Ok(())
    }
}
