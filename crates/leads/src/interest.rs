//! Converts interest signals to points, in the transaction that counts the events.

use std::collections::BTreeMap;

use analytics::{InterestSignal, InterestSink};
use db::WriteTx;
use kernel::Timestamp;
use sea_orm::DbErr;

use crate::model::{Cause, Lead, contribution};
use crate::store::{Entry, LeadKey};
use crate::{Leads, store};

/// Points gained per person: the start of the consent, and (day, points) pairs.
type PointsByPerson = BTreeMap<LeadKey, (Timestamp, Vec<(i64, f64)>)>;

#[async_trait::async_trait]
impl InterestSink for Leads {
    async fn record(&self, tx: &WriteTx, signals: &[InterestSignal]) -> Result<(), DbErr> {
        let points_by_person = write_ledger(tx, signals).await?;
        let now = self.ambient.now();
        let today = now.days();
        let people: Vec<LeadKey> = points_by_person.keys().copied().collect();
        let mut known = store::of_people(tx, &people).await?;
        let leads: Vec<Lead> = points_by_person
            .into_iter()
            .map(|(key, (since, points))| {
                let before = known.remove(&key).filter(|lead| lead.since == since);
                let mut lead = before.unwrap_or_else(|| Lead::new(key.org, key.person, since, today, now));
                lead.update(points.into_iter(), today, now);
                lead
            })
            .collect();
        store::save(tx, &leads).await
    }
}

/// Writes the ledger and returns the new points. Coverage adds up within a day; everything else counts once
/// per item and day, however often it is reported.
async fn write_ledger(tx: &WriteTx, signals: &[InterestSignal]) -> Result<PointsByPerson, DbErr> {
    let mut sums: BTreeMap<Entry, f64> = BTreeMap::new();
    let mut once: BTreeMap<Entry, f64> = BTreeMap::new();
    let mut points_by_person = PointsByPerson::new();
    for signal in signals {
        let (cause, item, points) = contribution(signal.kind);
        let InterestSignal { org, person, since, day, .. } = *signal;
        let entry = Entry { org, person, since, day, cause, item };
        match cause {
            Cause::Coverage => *sums.entry(entry).or_default() += points,
            _ => {
                once.insert(entry, points);
            }
        }
    }
    let mut add_points = |entry: &Entry, points: f64| {
        let Entry { org, person, since, day, .. } = *entry;
        let (_, gains) =
            points_by_person.entry(LeadKey { org, person }).or_insert_with(|| (since, Vec::new()));
        gains.push((day, points));
    };
    let sums: Vec<(Entry, f64)> = sums.into_iter().collect();
    store::add_to_ledger(tx, &sums).await?;
    sums.iter().for_each(|(entry, points)| add_points(entry, *points));
    let candidates: Vec<(Entry, f64)> = once.iter().map(|(entry, points)| (*entry, *points)).collect();
    for entry in store::insert_once(tx, &candidates).await? {
        add_points(&entry, once.get(&entry).copied().unwrap_or_default());
    }
    Ok(points_by_person)
}
