//! Converts interest signals to points, in the transaction that counts the events.

use std::collections::BTreeMap;

use analytics::{Interest, Sign};
use db::WriteTx;
use kernel::DAY;
use sea_orm::DbErr;

use crate::model::{Cause, Lead, worth};
use crate::store::{Entry, Who};
use crate::{Leads, store};

/// Points gained per person: the start of the consent, and (day, points) pairs.
type Gains = BTreeMap<Who, (i64, Vec<(i64, f64)>)>;

#[async_trait::async_trait]
impl Interest for Leads {
    async fn note(&self, tx: &WriteTx, signs: &[Sign]) -> Result<(), DbErr> {
        let gains = enter(tx, signs).await?;
        let now = self.ambient.now();
        let today = now.div_euclid(DAY);
        let people: Vec<Who> = gains.keys().copied().collect();
        let mut known = store::of_people(tx, &people).await?;
        let leads: Vec<Lead> = gains
            .into_iter()
            .map(|((org, person), (since, points))| {
                let before = known.remove(&(org, person)).filter(|lead| lead.since == since);
                let mut lead = before.unwrap_or_else(|| Lead::new(org, person, since, today, now));
                lead.settle(points.into_iter(), today, now);
                lead
            })
            .collect();
        store::save(tx, &leads).await
    }
}

/// Writes the ledger and returns the new points. Coverage adds up within a day; everything else counts once
/// per item and day, however often it is reported.
async fn enter(tx: &WriteTx, signs: &[Sign]) -> Result<Gains, DbErr> {
    let mut sums: BTreeMap<Entry, f64> = BTreeMap::new();
    let mut once: BTreeMap<Entry, f64> = BTreeMap::new();
    let mut gains = Gains::new();
    for sign in signs {
        let (cause, thing, points) = worth(sign.what);
        let entry = (sign.org, sign.person, sign.since, sign.day, cause, thing);
        match cause {
            Cause::Coverage => *sums.entry(entry).or_default() += points,
            _ => {
                once.insert(entry, points);
            }
        }
    }
    let mut gain = |entry: &Entry, points: f64| {
        let (org, person, since, day, ..) = *entry;
        gains.entry((org, person)).or_insert_with(|| (since, Vec::new())).1.push((day, points));
    };
    let sums: Vec<(Entry, f64)> = sums.into_iter().collect();
    store::enter_sum(tx, &sums).await?;
    sums.iter().for_each(|(entry, points)| gain(entry, *points));
    let candidates: Vec<(Entry, f64)> = once.iter().map(|(entry, points)| (*entry, *points)).collect();
    for entry in store::enter_once(tx, &candidates).await? {
        gain(&entry, once.get(&entry).copied().unwrap_or_default());
    }
    Ok(gains)
}
