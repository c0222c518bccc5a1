//! Writes what a batch changed.

use std::collections::BTreeMap;

use content::ItemStats;
use db::WriteTx;
use db::rows::WriteSet;
use sea_orm::DbErr;

use super::aggregator::EventAggregator;
use crate::AnalyticsDeps;
use crate::store::raw::ItemKey;
use crate::store::{names, person_packs, raw, states, sums, total_packs, view_packs};
use crate::totals::{DayList, PlaylistKey, Sum};

impl EventAggregator {
    /// Writes all changes, ordered by key. What transactions of other servers write, too, comes last and is only added
    /// to, so that they wait for each other as short as possible. Returns false if another person has begun a view with
    /// the same id meanwhile; then the transaction must not be committed.
    pub async fn save(mut self, deps: &AnalyticsDeps, tx: &WriteTx) -> Result<bool, DbErr> {
        if let Some(interest) = deps.interest.as_ref().filter(|_| !self.signals.is_empty()) {
            interest.record(tx, &self.signals).await?;
        }
        if !self.save_states(deps, tx).await? {
            return Ok(false);
        }
        self.save_totals(deps, tx).await.map(|()| true)
    }

    /// Writes what the locks of the senders protect. The id of a view comes from a client; returns false if another
    /// person's is stored.
    async fn save_states(&mut self, deps: &AnalyticsDeps, tx: &WriteTx) -> Result<bool, DbErr> {
        let mut writes = WriteSet::new(tx);
        let batch = &self.batch;
        raw::insert_batches(&mut writes, std::mem::take(&mut self.recorded))?;
        let coverage = self.coverage.iter().filter_map(|key| Some((*key, batch.coverage.get(key)?)));
        states::save_coverage(&mut writes, coverage)?;
        let visitors = self.visitors.iter().filter_map(|key| Some((*key, batch.visitors.get(key)?)));
        states::save_visitors(&mut writes, visitors)?;
        names::insert_starts(&mut writes, &self.starts)?;
        let hours = self.hours.iter().filter_map(|key| Some((*key, *batch.hours.get(key)?)));
        names::save_viewer_hours(&mut writes, hours)?;
        sums::add_people(&mut writes, &self.totals)?;
        person_packs::add_removal(&mut writes, &self.totals, deps.ambient.now())?;
        sums::add_activity(&mut writes, &self.activity)?;
        let views: Vec<_> = self.views.iter().filter_map(|key| Some((*key, batch.views.get(key)?))).collect();
        let count = views.len() as u64;
        states::save_views(&mut writes, views.into_iter())?;
        let saved = writes.run(tx).await?;
        Ok(count == 0 || saved == count)
    }

    /// Adds to what all senders have in common.
    async fn save_totals(&self, deps: &AnalyticsDeps, tx: &WriteTx) -> Result<(), DbErr> {
        let mut writes = WriteSet::new(tx);
        let lengths = self.lengths.iter().filter_map(|key| Some((*key, *self.batch.lengths.get(key)?)));
        raw::save_lengths(&mut writes, lengths)?;
        view_packs::add_unpacked(&mut writes, &self.days)?;
        sums::add(&mut writes, &self.totals)?;
        sums::add_periods(&mut writes, &self.totals)?;
        sums::add_slots(&mut writes, &self.totals)?;
        let mut items: BTreeMap<ItemKey, Sum> = BTreeMap::new();
        for (key, sum) in self.totals.days.iter().filter(|(key, _)| key.list == DayList::Content) {
            let item = ItemKey { org: key.org, content: key.item.into() };
            *items.entry(item).or_default() += *sum;
        }
        let stats: Vec<ItemStats> = items
            .into_iter()
            .map(|(ItemKey { org, content }, Sum { views, watch_ms, .. })| ItemStats {
                org,
                content,
                views,
                watch_ms,
            })
            .collect();
        deps.content.add_stats(&mut writes, &stats)?;
        total_packs::add(&mut writes, &stats)?;
        let playlists = self.totals.playlists.iter();
        let watched: Vec<_> =
            playlists.map(|(PlaylistKey { org, playlist }, sum)| (*org, *playlist, sum.watch_ms)).collect();
        deps.playlists.add_watch_time(&mut writes, &watched)?;
        writes.run(tx).await.map(drop)
    }
}
