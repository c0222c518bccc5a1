//! The data that a batch of requests needs, read with one query per table.

use std::collections::{HashMap, HashSet};

use audience::Consent;
use db::WriteTx;
use kernel::{DAY, Millis, Signer, Uid};
use orgs::OrgScope;
use orgs::rights::Participate;
use sea_orm::DbErr;
use sha2::{Digest as _, Sha256};

use super::Request;
use crate::AnalyticsDeps;
use crate::definitions::{DELAY_MAX, day_of};
use crate::model::{Event, EventData};
use crate::store::event_items::{self, ContentInfo, ContentKey};
use crate::store::states::{self, CoverageKey, CoverageRow, ViewKey, ViewRow, VisitorKey, VisitorRow};

/// Used in place of the day for names that do not change daily.
const EVERY_DAY: i64 = -1;

/// The sender of a request.
#[derive(Clone, Debug)]
pub struct Sender {
    pub org: Uid,
    pub person: Uid,
    pub staff: bool,
    /// Start of an app user's consent; earlier events stay anonymous.
    pub since: Option<Millis>,
    /// Viewer names by the day they are used for.
    names: Vec<(i64, Uid)>,
}

impl Sender {
    /// Creates a sender with the viewer names for events at the given times.
    fn new(
        names: &Names,
        scope: &OrgScope<Participate>,
        since: Option<Millis>,
        times: impl Iterator<Item = Millis>,
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
    pub fn consent_at(&self, at: Millis) -> Option<Millis> {
        self.since.filter(|since| at >= *since)
    }

    /// Returns the day that goes into the viewer name. Without consent the name changes daily, which makes a
    /// person's days unlinkable.
    fn name_day(&self, at: Millis) -> i64 {
        if self.staff || self.consent_at(at).is_some() { EVERY_DAY } else { day_of(at) }
    }

    /// Returns the viewer name under which an event of this request is stored.
    pub fn name_at(&self, at: Millis) -> Uid {
        let day = self.name_day(at);
        self.names.iter().find(|(known, _)| *known == day).map(|(_, name)| *name).unwrap_or_default()
    }
}

/// Derives pseudonymous viewer names: digests keyed with the server's secret.
pub struct Names {
    key: [u8; 32],
}

impl Names {
    fn new(signer: &Signer) -> Self {
        Self { key: signer.derive("viewer-names") }
    }

    /// Returns whether `viewer` is one of the sender's names on the days from which events are accepted.
    pub fn is_name_of(&self, viewer: Uid, sender: &Sender, now: Millis) -> bool {
        let days = day_of(now - DELAY_MAX)..=day_of(now + DAY);
        std::iter::once(EVERY_DAY).chain(days).any(|day| self.name(sender.org, sender.person, day) == viewer)
    }

    fn name(&self, org: Uid, person: Uid, day: i64) -> Uid {
        let mut digest = Sha256::new_with_prefix(self.key);
        digest.update(org.as_bytes());
        digest.update(person.as_bytes());
        digest.update(day.to_be_bytes());
        let digest: [u8; 32] = digest.finalize().into();
        let (half, _) = digest.split_at(16);
        Uid::from_slice(half).unwrap_or_default()
    }
}

/// The data read for a batch.
pub struct BatchContext {
    pub names: Names,
    pub senders: Vec<Result<Sender, orgs::Error>>,
    pub items: HashMap<ContentKey, ContentInfo>,
    pub playlists: HashMap<(Uid, Uid), bool>,
    pub views: HashMap<ViewKey, ViewRow>,
    pub coverage: HashMap<CoverageKey, CoverageRow>,
    pub visitors: HashMap<VisitorKey, VisitorRow>,
    /// Interactions (visits, downloads, contacts) that are new, by (organisation, id).
    pub new_interactions: HashSet<(Uid, Uid)>,
}

/// Keys of the rows to read.
#[derive(Default)]
struct RequiredKeys {
    items: HashSet<ContentKey>,
    playlists: HashSet<(Uid, Uid)>,
    views: HashSet<ViewKey>,
    coverage: HashSet<CoverageKey>,
    visitors: HashSet<VisitorKey>,
    interactions: HashSet<(Uid, Uid)>,
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
            items: event_items::content(tx, &items).await?,
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
        let mut content = |event: &Event, content: Uid, playlist: Option<Uid>| {
            self.items.insert((sender.org, content, playlist.unwrap_or_default()));
            self.coverage.insert((sender.org, sender.name_at(event.at), content));
        };
        for event in events {
            match &event.data {
                EventData::Beat { view, content: id, playlist, .. } => {
                    content(event, *id, *playlist);
                    self.views.insert((sender.org, *view));
                }
                EventData::Download { content: id, playlist } => {
                    content(event, *id, *playlist);
                    self.interactions.insert((sender.org, event.id));
                }
                EventData::Contact { playlist } => {
                    self.playlists.insert((sender.org, *playlist));
                    self.interactions.insert((sender.org, event.id));
                }
                EventData::Visit => {
                    self.interactions.insert((sender.org, event.id));
                }
            }
        }
        if sender.since.is_some() {
            self.visitors.insert((sender.org, sender.person));
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
    let callers: Vec<_> = requests.iter().map(|request| (request.bearer, request.org)).collect();
    let scopes: Vec<Result<OrgScope<Participate>, _>> = deps.orgs.enter_all(tx, &callers).await?;
    let mut pairs: Vec<(Uid, Uid)> =
        scopes.iter().flatten().map(|scope| (scope.org(), scope.person())).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let consents = deps.audience.standings(tx, &pairs).await?;
    let since = |scope: &OrgScope<Participate>| {
        let consent: Option<&Consent> = consents.get(&(scope.org(), scope.person()));
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
    use super::*;

    const NOW: Millis = 20_000 * DAY;

    fn names() -> Names {
        Names::new(&Signer::new(&[1; 32]))
    }

    /// Returns the viewer name for an event at `at` of a person who consented at `since`.
    fn name(since: Option<Millis>, at: Millis) -> Uid {
        let sender = sender(since);
        names().name(sender.org, sender.person, sender.name_day(at))
    }

    fn sender(since: Option<Millis>) -> Sender {
        let (org, person) = (Uid::from_u128(1), Uid::from_u128(2));
        Sender { org, person, staff: false, since, names: Vec::new() }
    }

    #[test]
    fn a_consenting_viewer_keeps_one_name_and_another_one_gets_a_new_one_every_day() {
        assert_eq!(name(Some(0), 5), name(Some(0), 10 * DAY));
        assert_eq!(name(None, 5), name(None, DAY - 1));
        assert_ne!(name(None, 5), name(None, DAY));
        assert_ne!(name(None, 5), name(Some(0), 5));
        assert_ne!(
            Names::new(&Signer::new(&[2; 32])).name(Uid::nil(), Uid::nil(), 0),
            names().name(Uid::nil(), Uid::nil(), 0)
        );
    }

    #[test]
    fn activity_before_the_consent_stays_anonymous() {
        assert_eq!(name(Some(NOW), NOW - 1), name(None, NOW - 1));
        assert_ne!(name(Some(NOW), NOW), name(None, NOW));
    }

    #[test]
    fn a_view_is_recognised_by_every_viewer_name_of_the_accepted_days() {
        let known = |viewer| names().is_name_of(viewer, &sender(Some(NOW)), NOW);
        assert!(known(name(None, NOW - DAY)) && known(name(Some(0), NOW)));
        assert!(!known(name(None, NOW - 9 * DAY)));
    }
}
