//! The data that a batch of requests needs, read with one query per table.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use audience::{Consent, ConsentKey};
use db::WriteTx;
use kernel::{ContentId, Millis, OrgId, PersonId, PlaylistId, Timestamp, ViewerId};
use orgs::rights::Participate;
use orgs::{OrgCaller, OrgScope};
use sea_orm::DbErr;

use super::Request;
use crate::AnalyticsDeps;
use crate::definitions::day_of;
use crate::definitions::zone::Zone;
use crate::model::{Event, EventData, ReportedLength};
use crate::names::{Names, Salts, accepted_days, random_name};
use crate::store::event_items::{self, ContentInfo, ContentKey};
use crate::store::names::{self, NamedViewer, PersonKey, StartsKey, ViewerHourKey};
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
    /// Starts of counted views, by the anonymous names of their days.
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
    lengths: HashSet<ItemKey>,
    playlists: HashSet<PlaylistKey>,
    views: HashSet<ViewKey>,
    coverage: HashSet<CoverageKey>,
    visitors: HashSet<VisitorKey>,
    starts: HashSet<StartsKey>,
    hours: HashSet<ViewerHourKey>,
    interactions: HashSet<InteractionKey>,
}

impl BatchContext {
    /// Reads the data for the batch and inserts the ids of its interactions.
    pub async fn load(deps: &AnalyticsDeps, tx: &WriteTx, requests: &[Request]) -> Result<Self, DbErr> {
        let now = deps.ambient.now();
        let senders = senders(deps, tx, requests).await?;
        let orgs: BTreeSet<OrgId> = senders.iter().flatten().map(|sender| sender.org).collect();
        let orgs: Vec<OrgId> = orgs.into_iter().collect();
        let zones = event_items::zones(tx, &orgs).await?;
        let mut keys = RequiredKeys::default();
        for (sender, request) in senders.iter().zip(requests) {
            if let Ok(sender) = sender
                && let Some(zone) = zones.get(&sender.org)
            {
                keys.add(sender, zone, &request.events);
            }
        }
        Ok(Self {
            senders,
            zones,
            items: event_items::content(tx, &list(keys.items), now).await?,
            lengths: raw::lengths(tx, &list(keys.lengths)).await?,
            playlists: event_items::playlists(tx, &list(keys.playlists), now).await?,
            views: states::views(tx, &list(keys.views)).await?,
            coverage: states::coverage(tx, &list(keys.coverage)).await?,
            visitors: states::visitors(tx, &list(keys.visitors)).await?,
            starts: names::starts(tx, &list(keys.starts)).await?,
            hours: names::viewer_hours(tx, &list(keys.hours)).await?,
            new_interactions: states::insert_interactions(tx, &keys.interactions, day_of(now)).await?,
        })
    }
}

fn list<Key>(keys: HashSet<Key>) -> Vec<Key> {
    keys.into_iter().collect()
}

impl RequiredKeys {
    fn add(&mut self, sender: &Sender, zone: &Zone, events: &[Event]) {
        let org = sender.org;
        for event in events {
            match &event.data {
                EventData::Beat { view, content, playlist, .. } => {
                    self.add_content(sender, event, *content, *playlist);
                    self.views.insert(ViewKey { org, view: *view });
                    self.hours.extend(sender.hour_key(zone.hour(event.at)));
                }
                EventData::Download { content, playlist } => {
                    self.add_content(sender, event, *content, *playlist);
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

    fn add_content(
        &mut self,
        sender: &Sender,
        event: &Event,
        content: ContentId,
        playlist: Option<PlaylistId>,
    ) {
        let org = sender.org;
        self.items.insert(ContentKey::new(org, content, playlist));
        self.lengths.insert(ItemKey { org, content });
        self.starts.extend(sender.start_keys(content));
        if sender.consent_at(event.at).is_some() {
            self.coverage.insert(CoverageKey { org, viewer: sender.name_at(event.at), content });
        }
    }
}

/// Returns the sender of each request, with session, membership and consent as read in this transaction.
async fn senders(
    deps: &AnalyticsDeps,
    tx: &WriteTx,
    requests: &[Request],
) -> Result<Vec<Result<Arc<Sender>, orgs::Error>>, DbErr> {
    let callers: Vec<_> =
        requests.iter().map(|request| OrgCaller { bearer: request.bearer, org: request.org }).collect();
    let scopes: Vec<Result<OrgScope<Participate>, _>> = deps.orgs.enter_all(tx, &callers).await?;
    let people: BTreeSet<PersonKey> =
        scopes.iter().flatten().map(|scope| PersonKey { org: scope.org(), person: scope.person() }).collect();
    let people: Vec<PersonKey> = people.into_iter().collect();
    let joined = names::joined(tx, &people).await?;
    let named = named(deps, tx, &scopes, &people).await?;
    let salts = salts(deps, tx).await?;
    let names = Names::new(&deps.signer);
    let sender = |scope: OrgScope<Participate>| {
        let key = PersonKey { org: scope.org(), person: scope.person() };
        let name = |(day, salt): (&i64, &Vec<u8>)| (*day, names.anonymous(salt, key.org, key.person));
        Arc::new(Sender {
            org: key.org,
            person: key.person,
            staff: scope.role().is_staff(),
            joined: joined.get(&key).copied().unwrap_or(Timestamp::EPOCH),
            named: named.get(&key).copied(),
            anonymous: salts.iter().map(name).collect(),
        })
    };
    Ok(scopes.into_iter().map(|scope| scope.map(sender)).collect())
}

/// Returns the salts of the days from which events are accepted.
async fn salts(deps: &AnalyticsDeps, tx: &WriteTx) -> Result<Salts, DbErr> {
    let random = |day| (day, deps.ambient.bytes::<32>().to_vec());
    names::salts(tx, &accepted_days(deps.ambient.now()).map(random).collect()).await
}

/// Returns the names of the app users who consent. A new consent gets a new name.
async fn named(
    deps: &AnalyticsDeps,
    tx: &WriteTx,
    scopes: &[Result<OrgScope<Participate>, orgs::Error>],
    people: &[PersonKey],
) -> Result<HashMap<PersonKey, NamedViewer>, DbErr> {
    let keys: Vec<ConsentKey> =
        people.iter().map(|key| ConsentKey { org: key.org, person: key.person }).collect();
    let consents = deps.audience.standings(tx, &keys).await?;
    let staff: HashSet<PersonKey> = scopes
        .iter()
        .flatten()
        .filter(|scope| scope.role().is_staff())
        .map(|scope| PersonKey { org: scope.org(), person: scope.person() })
        .collect();
    let since = |key: &PersonKey| {
        let consent: Option<&Consent> = consents.get(&ConsentKey { org: key.org, person: key.person });
        consent.filter(|consent| consent.given && !staff.contains(key)).map(|consent| consent.since)
    };
    let consenting: Vec<PersonKey> = people.iter().filter(|key| since(key).is_some()).copied().collect();
    let mut known = names::named(tx, &consenting).await?;
    let mut new = Vec::new();
    for key in consenting {
        let Some(since) = since(&key) else { continue };
        if known.get(&key).is_none_or(|name| name.since != since) {
            let name = NamedViewer { since, viewer: random_name(&deps.ambient) };
            known.insert(key, name);
            new.push((key, name));
        }
    }
    names::save_named(tx, &new).await?;
    Ok(known)
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
