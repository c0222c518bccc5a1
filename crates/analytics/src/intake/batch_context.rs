//! The data that a batch of requests needs, read with one query per table.

use std::collections::{HashMap, HashSet};

use audience::{Consent, ConsentKey};
use db::WriteTx;
use kernel::{ContentId, OrgId, PersonId, PlaylistId, Timestamp, ViewerId};
use orgs::rights::Participate;
use orgs::{OrgCaller, OrgScope};
use sea_orm::DbErr;

use super::Request;
use crate::AnalyticsDeps;
use crate::definitions::day_of;
use crate::model::{Event, EventData};
use crate::names::{EVERY_DAY, Names};
use crate::store::event_items::{self, ContentInfo, ContentKey, PlaylistKey};
use crate::store::states::{
    self, CoverageKey, CoverageRow, InteractionKey, ViewKey, ViewRow, VisitorKey, VisitorRow,
};

/// The sender of a request.
#[derive(Clone, Debug)]
pub struct Sender {
    pub org: OrgId,
    pub person: PersonId,
    pub staff: bool,
    /// Start of an app user's consent; earlier events stay anonymous.
    pub since: Option<Timestamp>,
    /// Viewer names by the day they are used for.
    names: Vec<(i64, ViewerId)>,
}

impl Sender {
    /// Creates a sender with the viewer names for events at the given times.
    fn new(
        names: &Names,
        scope: &OrgScope<Participate>,
        since: Option<Timestamp>,
        times: impl Iterator<Item = Timestamp>,
    ) -> Self {
        let (org, person) = (scope.org(), scope.person());
        let mut sender = Self { org, person, staff: scope.role().is_staff(), since, names: Vec::new() };
        for at in times {
            let day = sender.name_day(at);
            if sender.names.iter().all(|(known, _)| *known != day) {
                sender.names.push((day, names.name(org, person, day)));
            }
        }
        sender
    }

    /// Returns the start of the consent that covers an event at `at`, if any.
    pub fn consent_at(&self, at: Timestamp) -> Option<Timestamp> {
        self.since.filter(|since| at >= *since)
    }

    /// Returns the day that goes into the viewer name. Without consent the name changes daily, which makes a
    /// person's days unlinkable.
    fn name_day(&self, at: Timestamp) -> i64 {
        if self.staff || self.consent_at(at).is_some() { EVERY_DAY } else { day_of(at) }
    }

    /// Returns the viewer name under which an event of this request is stored.
    pub fn name_at(&self, at: Timestamp) -> ViewerId {
        let day = self.name_day(at);
        self.names.iter().find(|(known, _)| *known == day).map_or(ViewerId::nil(), |(_, name)| *name)
    }
}

/// The data read for a batch.
pub struct BatchContext {
    pub names: Names,
    pub senders: Vec<Result<Sender, orgs::Error>>,
    pub items: HashMap<ContentKey, ContentInfo>,
    pub playlists: HashMap<PlaylistKey, bool>,
    pub views: HashMap<ViewKey, ViewRow>,
    pub coverage: HashMap<CoverageKey, CoverageRow>,
    pub visitors: HashMap<VisitorKey, VisitorRow>,
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
    interactions: HashSet<InteractionKey>,
}

impl BatchContext {
    /// Reads the data for the batch and inserts the ids of its interactions.
    pub async fn load(deps: &AnalyticsDeps, tx: &WriteTx, requests: &[Request]) -> Result<Self, DbErr> {
        let names = Names::new(&deps.signer);
        let senders = senders(deps, &names, tx, requests).await?;
        let mut keys = RequiredKeys::default();
        for (sender, request) in senders.iter().zip(requests) {
            if let Ok(sender) = sender {
                keys.add(sender, &request.events);
            }
        }
        let items: Vec<ContentKey> = keys.items.into_iter().collect();
        let playlists: Vec<_> = keys.playlists.into_iter().collect();
        let views: Vec<_> = keys.views.into_iter().collect();
        let coverage: Vec<_> = keys.coverage.into_iter().collect();
        let visitors: Vec<_> = keys.visitors.into_iter().collect();
        Ok(Self {
            names,
            senders,
            items: event_items::content(tx, &items, deps.ambient.now()).await?,
            playlists: event_items::playlists(tx, &playlists).await?,
            views: states::views(tx, &views).await?,
            coverage: states::coverage(tx, &coverage).await?,
            visitors: states::visitors(tx, &visitors).await?,
            new_interactions: states::insert_interactions(tx, &keys.interactions).await?,
        })
    }
}

impl RequiredKeys {
    fn add(&mut self, sender: &Sender, events: &[Event]) {
        let org = sender.org;
        let mut content = |event: &Event, content: ContentId, playlist: Option<PlaylistId>| {
            self.items.insert(ContentKey::new(org, content, playlist));
            self.coverage.insert(CoverageKey { org, viewer: sender.name_at(event.at), content });
        };
        for event in events {
            match &event.data {
                EventData::Beat { view, content: id, playlist, .. } => {
                    content(event, *id, *playlist);
                    self.views.insert(ViewKey { org, view: *view });
                }
                EventData::Download { content: id, playlist } => {
                    content(event, *id, *playlist);
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
        if sender.since.is_some() {
            self.visitors.insert(VisitorKey { org, person: sender.person });
        }
    }
}

/// Returns the sender of each request, with session, membership and consent as read in this transaction.
async fn senders(
    deps: &AnalyticsDeps,
    names: &Names,
    tx: &WriteTx,
    requests: &[Request],
) -> Result<Vec<Result<Sender, orgs::Error>>, DbErr> {
    let callers: Vec<_> =
        requests.iter().map(|request| OrgCaller { bearer: request.bearer, org: request.org }).collect();
    let scopes: Vec<Result<OrgScope<Participate>, _>> = deps.orgs.enter_all(tx, &callers).await?;
    let key = |scope: &OrgScope<Participate>| ConsentKey { org: scope.org(), person: scope.person() };
    let mut keys: Vec<ConsentKey> = scopes.iter().flatten().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    let consents = deps.audience.standings(tx, &keys).await?;
    let since = |scope: &OrgScope<Participate>| {
        let consent: Option<&Consent> = consents.get(&key(scope));
        consent.filter(|consent| consent.given && !scope.role().is_staff()).map(|consent| consent.since)
    };
    Ok(scopes
        .into_iter()
        .zip(requests)
        .map(|(scope, request)| {
            let times = request.events.iter().map(|event| event.at).chain([request.received_at]);
            scope.map(|scope| Sender::new(names, &scope, since(&scope), times))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, Signer};

    use super::*;

    /// Returns the instant this many milliseconds after the epoch.
    const fn at_ms(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    const NOW: Timestamp = Timestamp::from_ms(20_000 * DAY);

    fn names() -> Names {
        Names::new(&Signer::new(&[1; 32]))
    }

    /// Returns the viewer name for an event at `at` of a person who consented at `since`.
    fn name(since: Option<Timestamp>, at: Timestamp) -> ViewerId {
        let sender = sender(since);
        names().name(sender.org, sender.person, sender.name_day(at))
    }

    fn sender(since: Option<Timestamp>) -> Sender {
        let (org, person) = (OrgId::from_u128(1), PersonId::from_u128(2));
        Sender { org, person, staff: false, since, names: Vec::new() }
    }

    #[test]
    fn a_consenting_viewer_keeps_one_name_and_another_one_gets_a_new_one_every_day() {
        assert_eq!(name(Some(Timestamp::EPOCH), at_ms(5)), name(Some(Timestamp::EPOCH), at_ms(10 * DAY)));
        assert_eq!(name(None, at_ms(5)), name(None, at_ms(DAY - 1)));
        assert_ne!(name(None, at_ms(5)), name(None, at_ms(DAY)));
        assert_ne!(name(None, at_ms(5)), name(Some(Timestamp::EPOCH), at_ms(5)));
        assert_ne!(
            Names::new(&Signer::new(&[2; 32])).name(OrgId::nil(), PersonId::nil(), 0),
            names().name(OrgId::nil(), PersonId::nil(), 0)
        );
    }

    #[test]
    fn activity_before_the_consent_stays_anonymous() {
        assert_eq!(name(Some(NOW), NOW - 1), name(None, NOW - 1));
        assert_ne!(name(Some(NOW), NOW), name(None, NOW));
    }

    #[test]
    fn a_view_is_recognised_by_every_viewer_name_of_the_accepted_days() {
        let sender = sender(Some(NOW));
        let known = |viewer| names().is_name_of(viewer, sender.org, sender.person, NOW);
        assert!(known(name(None, NOW - DAY)) && known(name(Some(Timestamp::EPOCH), NOW)));
        assert!(!known(name(None, NOW - 9 * DAY)));
    }
}
