//! The data that a batch of requests needs, read with one query per table.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use db::WriteTx;
use kernel::{ContentId, Millis, OrgId, PersonId, PlaylistId, Timestamp, Uid, ViewerId};
use orgs::rights::Participate;
use orgs::{OrgCaller, OrgScope};
use sea_orm::DbErr;

use super::Request;
use crate::AnalyticsDeps;
use crate::definitions::view::{Form, Verdict};
use crate::definitions::zone::{Clock, Zone};
use crate::definitions::{VIEW_AGAIN, day_of};
use crate::model::{Event, EventData, ReportedLength, runs};
use crate::names::{Names, Salts, accepted_days, random_name};
use crate::store::event_items::{self, ContentInfo, ContentKey};
use crate::store::names::{self, Member, NamedViewer, PersonKey, StartsKey, ViewerHourKey};
use crate::store::raw::{self, ItemKey};
use crate::store::states::{
    self, CoverageKey, CoverageRow, InteractionKey, ViewKey, ViewRow, VisitorKey, VisitorRow,
};
use crate::totals::PlaylistKey;

/// The sender of a request.
#[derive(Clone, Debug)]
pub struct Sender {
    pub org: OrgId,
    pub person: PersonId,
    pub staff: bool,
    /// When the person joined; nothing from before counts.
    pub joined: Timestamp,
    /// The app user's consent with the name that goes with it; earlier events stay anonymous.
    pub named: Option<NamedViewer>,
    /// Anonymous names by the UTC day they are used for.
    anonymous: Vec<(i64, ViewerId)>,
}

impl Sender {
    /// Returns the start of the consent that covers an event at `at`, if any.
    pub fn consent_at(&self, at: Timestamp) -> Option<Timestamp> {
        self.named.map(|named| named.since).filter(|since| at >= *since)
    }

    /// Returns the viewer name under which an event is stored.
    pub fn name_at(&self, at: Timestamp) -> ViewerId {
        match self.named.filter(|named| at >= named.since) {
            Some(named) => named.viewer,
            None => self.anonymous_on(day_of(at)).unwrap_or(ViewerId::nil()),
        }
    }

    /// Returns the anonymous name of a UTC day, which consenting people have, too.
    pub fn anonymous_on(&self, day: i64) -> Option<ViewerId> {
        self.anonymous.iter().find(|(known, _)| *known == day).map(|(_, name)| *name)
    }

    /// Returns whether `viewer` is one of the sender's names.
    pub fn is_called(&self, viewer: ViewerId) -> bool {
        self.named.is_some_and(|named| named.viewer == viewer)
            || self.anonymous.iter().any(|(_, name)| *name == viewer)
    }

    /// Returns the keys of what this sender may have started within an hour of these times or between them.
    fn start_keys_near(
        &self,
        content: ContentId,
        (first, last): (Timestamp, Timestamp),
    ) -> impl Iterator<Item = StartsKey> + '_ {
        let days = day_of(first - VIEW_AGAIN)..=day_of(last + VIEW_AGAIN);
        self.start_keys(content).filter(move |key| days.contains(&key.day))
    }

    /// Returns the keys of the starts of this sender's counted views of an item.
    pub fn start_keys(&self, content: ContentId) -> impl Iterator<Item = StartsKey> + '_ {
        let org = self.org;
        self.anonymous.iter().map(move |(day, viewer)| StartsKey { day: *day, org, viewer: *viewer, content })
    }

    /// Returns the key of an hour of this sender.
    pub fn hour_key(&self, hour: Timestamp) -> Option<ViewerHourKey> {
        let day = day_of(hour);
        Some(ViewerHourKey { day, org: self.org, viewer: self.anonymous_on(day)?, hour })
    }
}

/// The data read for a batch.
pub struct BatchContext {
    pub senders: Vec<Result<Arc<Sender>, orgs::Error>>,
    pub zones: HashMap<OrgId, Arc<Zone>>,
    pub items: HashMap<ContentKey, ContentInfo>,
    pub lengths: HashMap<ItemKey, ReportedLength>,
    pub playlists: HashMap<PlaylistKey, bool>,
    pub views: HashMap<ViewKey, ViewRow>,
    pub coverage: HashMap<CoverageKey, CoverageRow>,
    pub visitors: HashMap<VisitorKey, VisitorRow>,
    /// Starts of counted views, by the anonymous names of their days, near the views that may still be counted.
    pub starts: HashMap<StartsKey, Vec<Timestamp>>,
    /// Watch time of viewers by hour.
    pub hours: HashMap<ViewerHourKey, Millis>,
    /// Interactions that are new.
    pub new_interactions: HashSet<InteractionKey>,
}

/// Keys of the rows to read.
#[derive(Default)]
struct RequiredKeys {
    items: HashSet<ContentKey>,
    playlists: HashSet<PlaylistKey>,
    views: HashSet<ViewKey>,
    coverage: HashSet<CoverageKey>,
    visitors: HashSet<VisitorKey>,
    hours: HashSet<ViewerHourKey>,
    interactions: BTreeSet<InteractionKey>,
}

impl BatchContext {
    /// Reads the data for the batch and inserts the ids of its interactions.
    pub async fn load(deps: &AnalyticsDeps, tx: &WriteTx, requests: &[Request]) -> Result<Self, DbErr> {
        let now = deps.ambient.now();
        let Senders { senders, zones } = senders(deps, tx, requests).await?;
        let sent: Vec<(&Sender, &Zone, &[Event])> = senders
            .iter()
            .zip(requests)
            .filter_map(|(sender, request)| {
                let sender = sender.as_ref().ok()?;
                Some((&**sender, &**zones.get(&sender.org)?, request.events.as_slice()))
            })
            .collect();
        let mut keys = RequiredKeys::default();
        for (sender, zone, events) in &sent {
            keys.add(sender, zone, events);
        }
        let items = event_items::content(tx, &list(keys.items), now).await?;
        let views = states::views(tx, &list(keys.views)).await?;
        let starts = required_starts(&sent, &views);
        Ok(Self {
            lengths: raw::lengths(tx, &unknown_lengths(&items)).await?,
            playlists: event_items::playlists(tx, &list(keys.playlists), now).await?,
            coverage: states::coverage(tx, &list(keys.coverage)).await?,
            visitors: states::visitors(tx, &list(keys.visitors)).await?,
            starts: names::starts(tx, &list(starts)).await?,
            hours: names::viewer_hours(tx, &list(keys.hours)).await?,
            new_interactions: states::insert_interactions(tx, &keys.interactions, day_of(now)).await?,
            senders,
            zones,
            items,
            views,
        })
    }
}

fn list<Key>(keys: HashSet<Key>) -> Vec<Key> {
    keys.into_iter().collect()
}

/// Returns the items whose length only players may know.
fn unknown_lengths(items: &HashMap<ContentKey, ContentInfo>) -> Vec<ItemKey> {
    let is_unknown = |info: &ContentInfo| info.subject.length.is_none() && info.subject.form != Form::Whole;
    let unknown = items.iter().filter(|(_, info)| is_unknown(info));
    list(unknown.map(|(key, _)| ItemKey { org: key.org, content: key.content }).collect())
}

/// Returns what is needed to decide whether views are counted. Of a view whose verdict is known, nothing is.
fn required_starts(
    sent: &[(&Sender, &Zone, &[Event])],
    views: &HashMap<ViewKey, ViewRow>,
) -> HashSet<StartsKey> {
    let mut keys = HashSet::new();
    for (sender, _, events) in sent {
        for run in runs(events) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let (content, began_at) = match &first.data {
                EventData::Beat { view, content, .. } => {
                    match views.get(&ViewKey { org: sender.org, view: *view }) {
                        Some(row) if row.view.verdict != Verdict::TooShort => continue,
                        known => (*content, known.map(|row| row.view.began_at)),
                    }
                }
                EventData::Download { content, .. } => (*content, None),
                EventData::Contact { .. } | EventData::Visit => continue,
            };
            keys.extend(sender.start_keys_near(content, (first.at, last.at)));
            keys.extend(began_at.into_iter().flat_map(|at| sender.start_keys_near(content, (at, at))));
        }
    }
    keys
}

impl RequiredKeys {
    fn add(&mut self, sender: &Sender, zone: &Zone, events: &[Event]) {
        let org = sender.org;
        let mut clock = Clock::new(zone);
        for run in runs(events) {
            let (Some(event), Some(last)) = (run.first(), run.last()) else { continue };
            match &event.data {
                EventData::Beat { view, content, playlist, .. } => {
                    self.add_content(sender, last, *content, *playlist);
                    self.views.insert(ViewKey { org, view: *view });
                    self.add_hours(sender, &mut clock, run);
                }
                EventData::Download { content, playlist } => {
                    self.add_content(sender, event, *content, *playlist);
                    self.views.insert(ViewKey { org, view: Uid::from(event.id).into() });
                    self.interactions.insert(InteractionKey { org, event: event.id });
                }
                EventData::Contact { playlist } => {
                    self.playlists.insert(PlaylistKey { org, playlist: *playlist });
                    self.interactions.insert(InteractionKey { org, event: event.id });
                }
                EventData::Visit => {
                    self.interactions.insert(InteractionKey { org, event: event.id });
                }
            }
        }
        if let Some(NamedViewer { since, .. }) = sender.named {
            self.visitors.insert(VisitorKey { org, person: sender.person, since });
        }
    }

    fn add_hours(&mut self, sender: &Sender, clock: &mut Clock<'_>, run: &[Event]) {
        let mut last = None;
        for event in run {
            let hour = clock.local(event.at).hour;
            if last.replace(hour) != Some(hour) {
                self.hours.extend(sender.hour_key(hour));
            }
        }
    }

    /// `last` is the latest event: if a consent covers any, it covers this one.
    fn add_content(
        &mut self,
        sender: &Sender,
        last: &Event,
        content: ContentId,
        playlist: Option<PlaylistId>,
    ) {
        let org = sender.org;
        self.items.insert(ContentKey::new(org, content, playlist));
        if sender.consent_at(last.at).is_some() {
            self.coverage.insert(CoverageKey { org, viewer: sender.name_at(last.at), content });
        }
    }
}

/// The senders of all requests, and the time zones of their organisations.
struct Senders {
    senders: Vec<Result<Arc<Sender>, orgs::Error>>,
    zones: HashMap<OrgId, Arc<Zone>>,
}

/// Returns the sender of each request, with session, membership and consent as read in this transaction.
async fn senders(deps: &AnalyticsDeps, tx: &WriteTx, requests: &[Request]) -> Result<Senders, DbErr> {
    let callers: Vec<_> =
        requests.iter().map(|request| OrgCaller { bearer: request.bearer, org: request.org }).collect();
    let scopes: Vec<Result<OrgScope<Participate>, _>> = deps.orgs.enter_all(tx, &callers).await?;
    let people: BTreeMap<PersonKey, bool> = scopes
        .iter()
        .flatten()
        .map(|scope| (PersonKey { org: scope.org(), person: scope.person() }, scope.role().is_staff()))
        .collect();
    let keys: Vec<PersonKey> = people.keys().copied().collect();
    let members = names::members(tx, &keys).await?;
    let mut zones: HashMap<OrgId, Arc<Zone>> = HashMap::new();
    for (key, member) in &members {
        zones.entry(key.org).or_insert_with(|| Arc::new(Zone::named(&member.zone)));
    }
    let named = named(deps, tx, &people, &members).await?;
    let salts = salts(deps, tx).await?;
    let names = Names::new(&deps.signer);
    let mut known: HashMap<PersonKey, Arc<Sender>> = HashMap::with_capacity(people.len());
    for (key, staff) in people {
        let name = |(day, salt): (&i64, &Vec<u8>)| (*day, names.anonymous(salt, key.org, key.person));
        let sender = Sender {
            org: key.org,
            person: key.person,
            staff,
            joined: members.get(&key).map_or(Timestamp::EPOCH, |member| member.joined),
            named: named.get(&key).copied(),
            anonymous: salts.iter().map(name).collect(),
        };
        known.insert(key, Arc::new(sender));
    }
    let sender = |scope: OrgScope<Participate>| {
        let key = PersonKey { org: scope.org(), person: scope.person() };
        known.get(&key).map(Arc::clone).ok_or(orgs::Error::NotFound)
    };
    let senders = scopes.into_iter().map(|scope| scope.and_then(sender)).collect();
    Ok(Senders { senders, zones })
}

/// Returns the salts of the days from which events are accepted.
async fn salts(deps: &AnalyticsDeps, tx: &WriteTx) -> Result<Salts, DbErr> {
    let random = |day| (day, deps.ambient.bytes::<32>().to_vec());
    names::salts(tx, &accepted_days(deps.ambient.now()).map(random).collect()).await
}

/// Returns the names of the app users who consent, of `people` with whether they are staff. A new consent gets a new name.
async fn named(
    deps: &AnalyticsDeps,
    tx: &WriteTx,
    people: &BTreeMap<PersonKey, bool>,
    members: &HashMap<PersonKey, Member>,
) -> Result<HashMap<PersonKey, NamedViewer>, DbErr> {
    let (mut named, mut new) = (HashMap::new(), Vec::new());
    for key in people.iter().filter(|(_, is_staff)| !**is_staff).map(|(key, _)| *key) {
        let Some(member) = members.get(&key) else { continue };
        let Some(since) = member.consents_since else { continue };
        let known = member.named.filter(|name| name.since == since);
        let name = known.unwrap_or_else(|| {
            let name = NamedViewer { since, viewer: random_name(&deps.ambient) };
            new.push((key, name));
            name
        });
        named.insert(key, name);
    }
    names::save_named(tx, &new).await?;
    Ok(named)
}

#[cfg(test)]
mod tests {
    use kernel::DAY;

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(20_000 * DAY);

    fn sender(since: Option<Timestamp>) -> Sender {
        let named = since.map(|since| NamedViewer { since, viewer: ViewerId::from_u128(9) });
        let anonymous = (19_996..=20_000).map(|day| (day, ViewerId::from_u128(day as u128))).collect();
        let (org, person) = (OrgId::from_u128(1), PersonId::from_u128(2));
        Sender { org, person, staff: false, joined: Timestamp::EPOCH, named, anonymous }
    }

    #[test]
    fn a_consenting_viewer_keeps_one_name_and_another_one_gets_a_new_one_every_day() {
        let (with, without) = (sender(Some(Timestamp::EPOCH)), sender(None));
        assert_eq!(with.name_at(NOW), with.name_at(NOW - 2 * DAY));
        assert_eq!(without.name_at(NOW - 1), without.name_at(NOW - DAY));
        assert_ne!(without.name_at(NOW), without.name_at(NOW - 1));
        assert_ne!(without.name_at(NOW), with.name_at(NOW));
    }

    #[test]
    fn activity_before_the_consent_stays_anonymous() {
        let sender = sender(Some(NOW));
        assert_eq!(sender.name_at(NOW - 1), ViewerId::from_u128(19_999));
        assert_eq!(sender.name_at(NOW), ViewerId::from_u128(9));
        assert_eq!((sender.consent_at(NOW - 1), sender.consent_at(NOW)), (None, Some(NOW)));
    }

    #[test]
    fn a_view_is_recognised_by_every_name_of_the_accepted_days() {
        let sender = sender(Some(NOW));
        assert!(sender.is_called(ViewerId::from_u128(9)) && sender.is_called(ViewerId::from_u128(19_997)));
        assert!(!sender.is_called(ViewerId::from_u128(19_990)));
    }
}
