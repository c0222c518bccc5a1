//! Rebuilds the totals of an organisation from its events.

use std::collections::{BTreeMap, HashMap};

use db::WriteTx;
use db::rows::WriteSet;
use kernel::{DAY, OrgId, Timestamp, ViewerId};
use sea_orm::DbErr;

use crate::definitions::DELAY_MAX;
use crate::definitions::zone::Zone;
use crate::raw::{RawEvents, RawOrigin};
use crate::store::totals::{self as stored, PersonName, StoredEvents};
use crate::store::{names, person_packs, segments, sums, view_packs};
use crate::totals::{Named, PersonSum, Sum, Totals, VerdictSum};
use crate::{Analytics, Error, verify};

/// Events read at once.
const PAGE: i64 = 500;

/// What a recount found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recounted {
    /// Stored requests that were counted again.
    pub requests: u64,
    /// Totals that were different before.
    pub differences: u64,
}

impl Analytics {
    /// Rebuilds the totals of the organisation from its stored events, for all days that they cover, and returns what
    /// was different. The counters of content items and playlists follow. Events of the organisation that come in meanwhile
    /// wait. Also cuts the days anew after a change of the time zone.
    pub async fn recount(&self, org: OrgId) -> Result<Recounted, Error> {
        let tx = self.deps.db.write_tx_on(org).await?;
        let recounted = self.recount_in(&tx, org).await?;
        tx.commit().await?;
        Ok(recounted)
    }

    /// Like [`Self::recount`], in the caller's transaction.
    pub async fn recount_in(&self, tx: &WriteTx, org: OrgId) -> Result<Recounted, Error> {
        tx.lock(org).await?;
        view_packs::unpack_org(tx, org).await?;
        person_packs::remove_all(tx, org).await?;
        let zone = Zone::named(&self.deps.orgs.time_zone(tx, org).await?);
        let Some(from) = first_covered(tx, org, &zone).await? else { return Ok(Recounted::default()) };
        let people = stored::person_names(tx, org).await?;
        let people: HashMap<ViewerId, PersonName> =
            people.into_iter().map(|name| (name.viewer, name)).collect();
        let (mut totals, mut requests, mut after) = (Totals::default(), 0, 0);
        loop {
            let page = stored::events_after(tx, org, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.number;
            requests += page.len() as u64;
            for events in &page {
                replay(org, &zone, events, &people, &mut totals)?;
            }
        }
        let totals = since(totals, from);
        let before = stored::read(tx, org, from).await?;
        let differences = differences(&before, &totals);
        if differences > 0 {
            stored::remove(tx, org, from).await?;
            let mut writes = WriteSet::new(tx);
            sums::add(&mut writes, &totals)?;
            sums::add_people(&mut writes, &totals)?;
            writes.run(tx).await?;
        }
        verify::restate(&self.deps, tx, org).await?;
        Ok(Recounted { requests, differences })
    }

    /// Returns the organisations that have events.
    pub async fn orgs_with_events(&self) -> Result<Vec<OrgId>, DbErr> {
        names::orgs_with_events(self.deps.db.read()).await
    }
}

/// Returns the start of the first day of which all events are stored; `None` without events.
async fn first_covered(tx: &db::WriteTx, org: OrgId, zone: &Zone) -> Result<Option<Timestamp>, DbErr> {
    let Some(received) = stored::first_received(tx, org).await? else { return Ok(None) };
    if let Some(day) = segments::last_day(tx, org).await? {
        // A request that could not be archived may have stayed behind, among days of which all others are in the archive.
        let archived = Timestamp::from_ms((day + 1) * DAY);
        return Ok(Some(zone.day(received.max(archived) + DAY)));
    }
    let was_purged = stored::any_before(tx, org, received - DELAY_MAX - DAY).await?;
    // Events of a day are received after it begins, so those of the days after the first are complete.
    Ok(Some(if was_purged { zone.day(received + DAY) } else { Timestamp::EPOCH }))
}

fn replay(
    org: OrgId,
    zone: &Zone,
    stored: &StoredEvents,
    people: &HashMap<ViewerId, PersonName>,
    totals: &mut Totals,
) -> Result<(), DbErr> {
    let events = RawEvents::read(&stored.events)
        .ok_or_else(|| db::unreadable("event_batch", "events", stored.number))?;
    let name = people.get(&stored.viewer).filter(|name| name.since == stored.since);
    let named = name.map(|name| Named { person: name.person, since: name.since });
    events.replay(&RawOrigin { org, zone, received_at: stored.received_at, named }, totals);
    Ok(())
}

/// Leaves out what is before `from`, and the sums over all time.
fn since(totals: Totals, from: Timestamp) -> Totals {
    let Totals { mut hours, mut days, mut playlist_content, mut people, mut verdicts, .. } = totals;
    hours.retain(|key, _| key.hour >= from);
    days.retain(|key, _| key.day >= from);
    playlist_content.retain(|key, _| key.day >= from);
    people.retain(|key, _| key.hour >= from);
    verdicts.retain(|key, _| key.day >= from);
    Totals { hours, days, playlists: BTreeMap::new(), playlist_content, people, verdicts }
}

/// Returns how many totals differ; one that is absent is zero.
fn differences(one: &Totals, other: &Totals) -> u64 {
    count(&one.hours, &other.hours, Sum::default())
        + count(&one.days, &other.days, Sum::default())
        + count(&one.playlist_content, &other.playlist_content, Sum::default())
        + count(&one.people, &other.people, PersonSum::default())
        + count(&one.verdicts, &other.verdicts, VerdictSum::default())
}

fn count<Key: Ord, Value: Copy + PartialEq>(
    one: &BTreeMap<Key, Value>,
    other: &BTreeMap<Key, Value>,
    zero: Value,
) -> u64 {
    let value = |map: &BTreeMap<Key, Value>, key: &Key| map.get(key).copied().unwrap_or(zero);
    let changed = one.keys().filter(|key| value(one, key) != value(other, key)).count();
    let new = other.iter().filter(|(key, sum)| !one.contains_key(key) && **sum != zero).count();
    (changed + new) as u64
}
