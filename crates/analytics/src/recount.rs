//! Rebuilds the totals of an organisation from its events.

use std::collections::{BTreeMap, HashMap};

use db::WriteTx;
use db::rows::WriteSet;
use kernel::{DAY, OrgId, Timestamp, ViewerId};
use sea_orm::{ConnectionTrait, DbErr};

use crate::definitions::DELAY_MAX;
use crate::definitions::zone::Zone;
use crate::raw::{RawEvents, RawOrigin};
use crate::series::Range;
use crate::store::totals::{self as stored, PersonName, StoredEvents};
use crate::store::{names, person_packs, segments, sums, view_packs, zone_cut};
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

/// What was counted of an organisation's events so far.
pub struct Counted {
    /// The zone in which the days are cut, those before a border in another.
    zone: Zone,
    /// Start of the first day of which all events are stored; `None` without events.
    covered: Option<Timestamp>,
    /// Names of the people under their consents.
    people: HashMap<ViewerId, PersonName>,
    totals: Totals,
    requests: u64,
    /// Number of the last request.
    last: i64,
}

impl Analytics {
    /// Rebuilds the totals of the organisation from its stored events, for all days that they cover, and returns what
    /// was different. The counters of content items and playlists follow. Events that come in meanwhile wait only while
    /// those since the beginning are counted and the differences are written. Also cuts days and views anew after a change
    /// of the time zone.
    pub async fn recount(&self, org: OrgId) -> Result<Recounted, Error> {
        let ahead = self.count_ahead(org).await?;
        let tx = self.deps.db.write_tx_on(org).await?;
        let recounted = self.recount_in(&tx, org, ahead).await?;
        tx.commit().await?;
        Ok(recounted)
    }

    /// Counts the organisation's stored events while others come in, for [`Self::recount_in`].
    pub async fn count_ahead(&self, org: OrgId) -> Result<Counted, Error> {
        let conn = self.deps.db.read();
        // Read before the names, so that those of all events up to it are known.
        let until = stored::last_number(conn, org).await?;
        let mut ahead = self.nothing_counted(conn, org).await?;
        ahead.count(conn, org, until).await?;
        Ok(ahead)
    }

    /// Like [`Self::recount`], in the caller's transaction.
    pub async fn recount_in(&self, tx: &WriteTx, org: OrgId, ahead: Counted) -> Result<Recounted, Error> {
        tx.lock(org).await?;
        person_packs::remove_all(tx, org).await?;
        let mut counted = self.nothing_counted(tx, org).await?;
        if ahead.still_holds(tx, org, &counted).await? {
            counted = Counted { people: counted.people, ..ahead };
        }
        counted.count(tx, org, i64::MAX).await?;
        let Counted { zone, covered, totals, requests, .. } = counted;
        self.mark_border(tx, org, &zone, covered).await?;
        if let Some(covered) = covered {
            let start = zone.since().unwrap_or(covered);
            let range = Range { start, end: self.deps.ambient.now() + 1 };
            zone_cut::cut_views(tx, org, &zone, range).await?;
        }
        view_packs::unpack_org(tx, org).await?;
        let Some(from) = covered else { return Ok(Recounted::default()) };
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

    async fn nothing_counted(&self, conn: &impl ConnectionTrait, org: OrgId) -> Result<Counted, Error> {
        let zone = Zone::named(&self.deps.orgs.time_zone(conn, org).await?);
        let (covered, zone) = covered(conn, org, zone).await?;
        let people = stored::person_names(conn, org).await?;
        let people = people.into_iter().map(|name| (name.viewer, name)).collect();
        Ok(Counted { zone, covered, people, totals: Totals::default(), requests: 0, last: 0 })
    }

    /// Records in which zone the days are cut, and where the first of them begins if there are others before.
    async fn mark_border(
        &self,
        tx: &WriteTx,
        org: OrgId,
        zone: &Zone,
        covered: Option<Timestamp>,
    ) -> Result<(), DbErr> {
        let from = zone.since().or(covered).unwrap_or_else(|| zone.day(self.deps.ambient.now()));
        let has_older = stored::any_before(tx, org, from).await?;
        zone_cut::save(tx, org, has_older.then_some(from)).await
    }

    /// Returns the organisations that have events.
    pub async fn orgs_with_events(&self) -> Result<Vec<OrgId>, DbErr> {
        names::orgs_with_events(self.deps.db.read()).await
    }
}

impl Counted {
    /// Counts the events after the last one, up to a number.
    async fn count(&mut self, conn: &impl ConnectionTrait, org: OrgId, until: i64) -> Result<(), DbErr> {
        loop {
            let page = stored::events_between(conn, org, (self.last, until), PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            self.last = last.number;
            self.requests += page.len() as u64;
            for events in &page {
                replay(org, &self.zone, events, &self.people, &mut self.totals)?;
            }
        }
    }

    /// Returns whether this is what the same events would count now: neither the zone nor a name has changed, and no event
    /// was removed, or became visible only later.
    async fn still_holds(&self, tx: &WriteTx, org: OrgId, now: &Self) -> Result<bool, DbErr> {
        let has_names = self.people.iter().all(|(viewer, name)| now.people.get(viewer) == Some(name));
        Ok(self.zone.is_same_cut(&now.zone)
            && has_names
            && stored::count_until(tx, org, self.last).await? == self.requests)
    }
}

/// Returns the start of the first day of which all events are stored, `None` without events, and the zone in which the days
/// from then on are cut. After a change of the zone, this is a day of the zone before: it ends where the first day of the new
/// zone begins, so that nothing is in both.
async fn covered(
    conn: &impl ConnectionTrait,
    org: OrgId,
    zone: Zone,
) -> Result<(Option<Timestamp>, Zone), DbErr> {
    let Some(first) = first_covered(conn, org, &zone).await? else { return Ok((None, zone)) };
    let last = zone_cut::last(conn, org).await?;
    let Some((name, since)) = last.filter(|_| first > Timestamp::EPOCH) else {
        return Ok((Some(first), zone));
    };
    let first = since.map_or(first, |since| first.max(since));
    if name == zone.name() {
        return Ok((Some(first), zone));
    }
    let earlier = Zone::named(&name);
    let start = earlier.day_from(first);
    let border = zone.day_from(start);
    Ok((Some(start), zone.cut_after(earlier, border)))
}

/// Returns the start of the first day of a zone of which all events are stored; `None` without events.
async fn first_covered(
    conn: &impl ConnectionTrait,
    org: OrgId,
    zone: &Zone,
) -> Result<Option<Timestamp>, DbErr> {
    let Some(received) = stored::first_received(conn, org).await? else { return Ok(None) };
    if let Some(day) = segments::last_day(conn, org).await? {
        // A request that could not be archived may have stayed behind, among days of which all others are in the archive.
        let archived = Timestamp::from_ms((day + 1) * DAY);
        return Ok(Some(zone.day(received.max(archived) + DAY)));
    }
    let was_purged = stored::any_before(conn, org, received - DELAY_MAX - DAY).await?;
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
