//! Converts interest signals to points, in the transaction that counts the events.

use std::collections::BTreeMap;

use analytics::{InterestSignal, InterestSink};
use db::WriteTx;
use kernel::Timestamp;
use sea_orm::DbErr;

use crate::model::{Cause, Lead, LeadKey, Temperature, contribution};
use crate::store::ledger::{Contribution, Entry};
use crate::{Leads, emails, store};

/// What signals add to a person's lead.
struct Gains {
    /// Start of the consent.
    since: Timestamp,
    /// Time of the latest signal.
    last_at: Timestamp,
    /// Time of the first signal.
    first_at: Timestamp,
    /// Days and points.
    points: Vec<(i64, f64)>,
}

#[async_trait::async_trait]
impl InterestSink for Leads {
    async fn record(&self, tx: &WriteTx, signals: &[InterestSignal]) -> Result<(), DbErr> {
        let mut gains = of_people(signals);
        for (key, day, points) in write_ledger(tx, signals).await? {
            if let Some(gains) = gains.get_mut(&key) {
                gains.points.push((day, points));
            }
        }
        let now = self.ambient.now();
        let people: Vec<LeadKey> = gains.keys().copied().collect();
        let mut known = store::lead::of_people(tx, &people).await?;
        let (mut leads, mut turned_hot) = (Vec::with_capacity(gains.len()), Vec::new());
        for (key, Gains { since, first_at, last_at, points }) in gains {
            let stored = known.remove(&key);
            let counted = stored.as_ref().and_then(|lead| lead.counted);
            let before = stored.filter(|lead| lead.since == since);
            let mut lead = before.unwrap_or_else(|| {
                // People become leads when they do something, not when it arrives.
                let created_at = first_at.min(now);
                Lead { created_at, counted, ..Lead::new(key, since, now) }
            });
            let was_hot = lead.temperature == Temperature::Hot;
            lead.update(points.into_iter(), now.days(), now);
            lead.last_seen_at = lead.last_seen_at.max(last_at);
            if lead.temperature == Temperature::Hot && !was_hot {
                turned_hot.push(key);
            }
            leads.push(lead);
        }
        store::lead::save(tx, &leads).await?;
        emails::announce_hot(self, tx, &turned_hot).await
    }
}

fn of_people(signals: &[InterestSignal]) -> BTreeMap<LeadKey, Gains> {
    let mut all = BTreeMap::new();
    for InterestSignal { org, person, since, at, .. } in signals {
        let gains = all.entry(LeadKey { org: *org, person: *person }).or_insert_with(|| Gains {
            since: *since,
            last_at: *at,
            first_at: *at,
            points: Vec::new(),
        });
        gains.last_at = gains.last_at.max(*at);
        gains.first_at = gains.first_at.min(*at);
    }
    all
}

/// Writes the ledger and returns the new points with their person and day. Coverage adds up within a day; everything
/// else counts once per item and day, however often it is reported.
async fn write_ledger(tx: &WriteTx, signals: &[InterestSignal]) -> Result<Vec<(LeadKey, i64, f64)>, DbErr> {
    let mut sums: BTreeMap<Entry, Contribution> = BTreeMap::new();
    let mut once: BTreeMap<Entry, Contribution> = BTreeMap::new();
    for signal in signals {
        let Some((cause, item, points)) = contribution(signal.kind) else { continue };
        let InterestSignal { org, person, since, at, day, .. } = *signal;
        let entry = Entry { org, person, since, day, cause, item };
        match cause {
            Cause::Coverage => {
                let sum = sums.entry(entry).or_default();
                *sum = Contribution { points: sum.points + points, at: sum.at.max(at) };
            }
            _ => {
                once.entry(entry).or_insert(Contribution { points, at });
            }
        }
    }
    let gained =
        |entry: &Entry, points| (LeadKey { org: entry.org, person: entry.person }, entry.day, points);
    let sums: Vec<(Entry, Contribution)> = sums.into_iter().collect();
    store::ledger::add(tx, &sums).await?;
    let mut all: Vec<_> = sums.iter().map(|(entry, added)| gained(entry, added.points)).collect();
    let candidates: Vec<(Entry, Contribution)> = once.iter().map(|(entry, one)| (*entry, *one)).collect();
    for entry in store::ledger::insert_once(tx, &candidates).await? {
        all.push(gained(&entry, once.get(&entry).map_or(0.0, |one| one.points)));
    }
    Ok(all)
}
