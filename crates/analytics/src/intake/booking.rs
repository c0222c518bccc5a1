//! Applies the definitions to a batch of requests in memory and writes the result.

use std::collections::{BTreeMap, BTreeSet};

use db::WriteTx;
use httpkit::Refusal;
use kernel::{Millis, Uid};
use sea_orm::DbErr;

use super::Request;
use super::stage::{Sender, Stage};
use crate::Parts;
use crate::definitions::view::{Gain, Verdict, View, counts_again, share};
use crate::definitions::{SECTIONS_MAX, day_of, hour_of, visit};
use crate::model::{Event, Outcome, Reason, What};
use crate::ports::{Sign, SignKind};
use crate::store::facts::ContentFacts;
use crate::store::states::{self, Batch, SeenKey, SeenRow, ViewKey, ViewRow, VisitorKey, VisitorRow};
use crate::store::sums::{self, Activity, PersonKey, PersonSum, Sum};

/// Pending changes of one transaction: the state that was read, the keys that changed, and the increments.
pub struct Booking {
    stage: Stage,
    views: BTreeSet<ViewKey>,
    seen: BTreeSet<SeenKey>,
    visitors: BTreeSet<VisitorKey>,
    orgs: BTreeMap<(Uid, i64), Sum>,
    contents: BTreeMap<(Uid, i64, Uid), Sum>,
    playlists: BTreeMap<(Uid, Uid), Sum>,
    people: BTreeMap<PersonKey, PersonSum>,
    activity: Vec<Activity>,
    signs: Vec<Sign>,
    /// Per accepted request: its number, the viewer name it is stored under, and the rejected events as JSON.
    kept: Vec<(usize, Uid, Option<String>)>,
}

/// Context in which an event is counted.
#[derive(Clone, Copy)]
struct Spot<'a> {
    sender: &'a Sender,
    at: Millis,
    content: Uid,
    /// The playlist, if it contains the content item.
    playlist: Option<Uid>,
    facts: ContentFacts,
}

impl Booking {
    pub fn new(stage: Stage) -> Self {
        Self {
            stage,
            views: BTreeSet::new(),
            seen: BTreeSet::new(),
            visitors: BTreeSet::new(),
            orgs: BTreeMap::new(),
            contents: BTreeMap::new(),
            playlists: BTreeMap::new(),
            people: BTreeMap::new(),
            activity: Vec::new(),
            signs: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Processes one request. Fails if the sender is not allowed to send events to this organisation.
    pub fn request(&mut self, number: usize, request: &Request) -> Result<Outcome, Refusal> {
        let sender = match &self.stage.senders[number] {
            Ok(sender) => sender.clone(),
            Err(_) => return Err(self.refusal(number)),
        };
        let mut outcome = Outcome { accepted: 0, rejected: request.rejected.clone() };
        let mut rest = request.events.as_slice();
        while !rest.is_empty() {
            let (run, others) = rest.split_at(run_length(rest));
            match self.events(&sender, request, run) {
                Ok(()) => outcome.accepted += run.len(),
                Err(reason) => outcome.rejected.extend(run.iter().map(|event| (event.id, reason))),
            }
            rest = others;
        }
        let rejected = (!outcome.rejected.is_empty())
            .then(|| serde_json::to_string(&outcome.rejected).unwrap_or_default());
        let viewer = sender.name_at(request.received_at);
        self.kept.push((number, viewer, rejected));
        Ok(outcome)
    }

    fn refusal(&mut self, number: usize) -> Refusal {
        let taken = std::mem::replace(&mut self.stage.senders[number], Err(orgs::Error::NotFound));
        taken.err().unwrap_or(orgs::Error::NotFound).into()
    }

    /// Processes a run of beats of one view, or a single other event.
    fn events(&mut self, sender: &Sender, request: &Request, run: &[Event]) -> Result<(), Reason> {
        let Some(event) = run.first() else { return Ok(()) };
        match &event.what {
            What::Beat { view, content, playlist, .. } => {
                let spot = self.spot(sender, event.at, *content, *playlist)?;
                self.beats(spot, request, *view, run)
            }
            What::Visit => {
                if self.stage.fresh.remove(&(sender.org, event.id)) && !request.bot {
                    self.appear(sender, event);
                }
                Ok(())
            }
            What::Download { content, playlist } => {
                let spot = self.spot(sender, event.at, *content, *playlist)?;
                if self.stage.fresh.remove(&(sender.org, event.id)) && !request.bot {
                    self.download(spot, event);
                }
                Ok(())
            }
            What::Contact { playlist } => {
                let open = self.stage.playlists.get(&(sender.org, *playlist)).copied();
                if !open.is_some_and(|open| open || sender.staff) {
                    return Err(Reason::NotFound);
                }
                if self.stage.fresh.remove(&(sender.org, event.id)) && !request.bot {
                    self.appear(sender, event);
                    self.act(sender, event, "contact", None, Some(*playlist));
                    self.sign(sender, event.at, SignKind::Contact(*playlist));
                }
                Ok(())
            }
        }
    }

    /// Returns the context of an event if the sender may see the content item.
    fn spot<'a>(
        &self,
        sender: &'a Sender,
        at: Millis,
        content: Uid,
        playlist: Option<Uid>,
    ) -> Result<Spot<'a>, Reason> {
        let place = (sender.org, content, playlist.unwrap_or_default());
        let facts = self.stage.contents.get(&place).copied().ok_or(Reason::NotFound)?;
        let open = if sender.staff { facts.open_to_staff } else { facts.open };
        if !open {
            return Err(Reason::NotFound);
        }
        Ok(Spot { sender, at, content, playlist: playlist.filter(|_| facts.shelved), facts })
    }

    fn beats(&mut self, spot: Spot<'_>, request: &Request, uid: Uid, run: &[Event]) -> Result<(), Reason> {
        let viewer = spot.sender.name_at(spot.at);
        let key = (spot.sender.org, uid);
        let fresh = || ViewRow {
            viewer,
            content: spot.content,
            playlist: spot.playlist,
            view: View::begin(spot.at, first_verdict(spot, request.bot)),
        };
        // Removed from the map while the run is processed; every path below puts it back.
        let mut row = self.stage.views.remove(&key).unwrap_or_else(fresh);
        let own = row.viewer == viewer || self.stage.names.is(row.viewer, spot.sender, request.received_at);
        let fits = own && row.content == spot.content;
        if fits {
            self.beats_of(spot, request, uid, run, &mut row);
            self.views.insert(key);
        }
        self.stage.views.insert(key, row);
        if fits { Ok(()) } else { Err(Reason::ForeignView) }
    }

    fn beats_of(&mut self, spot: Spot<'_>, request: &Request, uid: Uid, run: &[Event], row: &mut ViewRow) {
        let counts = !(spot.sender.staff || request.bot || spot.facts.draft);
        let mut gains: Vec<(Millis, Gain)> = Vec::with_capacity(run.len());
        for event in run {
            let What::Beat { beat, .. } = &event.what else { continue };
            let Some(gain) = row.view.take(spot.facts.subject, beat, event.at) else { continue };
            if !counts {
                continue;
            }
            self.appear(spot.sender, event);
            if gain.credit_ms > 0 {
                gains.push((event.at, gain));
            }
            self.judge(Spot { at: event.at, ..spot }, uid, &mut row.view);
        }
        let hour_and_consent =
            |(at, _): &(Millis, Gain)| (hour_of(*at), spot.sender.consent_at(*at).is_some());
        for hour in gains.chunk_by(|one, next| hour_and_consent(one) == hour_and_consent(next)) {
            self.credit(spot, hour);
        }
    }

    /// Adds the watch time of one hour, which counts whatever the view's verdict, and updates coverage.
    fn credit(&mut self, spot: Spot<'_>, gains: &[(Millis, Gain)]) {
        let Some((at, _)) = gains.first() else { return };
        let spot = Spot { at: *at, ..spot };
        self.add(spot, gains.iter().map(|(_, gain)| gain.credit_ms).sum(), 0);
        let Some(since) = spot.sender.consent_at(spot.at) else { return };
        let day = day_of(spot.at);
        let seen = self.seen_row(spot, spot.sender.name_at(spot.at), Some(since));
        let new_day = seen.seen_day != day;
        seen.seen_day = seen.seen_day.max(day);
        for (from, to) in gains.iter().filter_map(|(_, gain)| gain.section) {
            seen.sections.add(from, to, 0);
        }
        seen.sections.squeeze(SECTIONS_MAX);
        let covered = cover(seen, spot.content, share(&seen.sections, spot.facts.subject.duration_ms));
        let signs = new_day.then_some(SignKind::Seen(spot.content)).into_iter().chain(covered);
        for what in signs {
            self.sign(spot.sender, spot.at, what);
        }
    }

    /// Counts the view once its credit reaches the threshold.
    fn judge(&mut self, spot: Spot<'_>, uid: Uid, view: &mut View) {
        if view.verdict != Verdict::TooShort || view.credit_ms < spot.facts.subject.threshold() {
            return;
        }
        let viewer = spot.sender.name_at(spot.at);
        let consent = spot.sender.consent_at(spot.at);
        let last = self.seen_row(spot, viewer, consent).counted_at;
        if !view.judge(spot.facts.subject, last) {
            return;
        }
        self.seen_row(spot, viewer, consent).counted_at = Some(view.began_at);
        self.counted(spot, viewer);
        if consent.is_some() {
            self.activity.push(Activity {
                org: spot.sender.org,
                person: spot.sender.person,
                at: view.began_at,
                uid,
                kind: "view",
                content: Some(spot.content),
                playlist: spot.playlist,
                view: Some(uid),
            });
        }
    }

    /// Adds a counted view. An item that does not play counts as fully covered.
    fn counted(&mut self, spot: Spot<'_>, viewer: Uid) {
        self.add(spot, 0, 1);
        let Some(since) = spot.sender.consent_at(spot.at) else { return };
        if !spot.facts.subject.plays {
            let seen = self.seen_row(spot, viewer, Some(since));
            if let Some(what) = cover(seen, spot.content, 1.0) {
                self.sign(spot.sender, spot.at, what);
            }
        }
    }

    /// Records a download; for items that do not play it also counts as a view.
    fn download(&mut self, spot: Spot<'_>, event: &Event) {
        if spot.sender.staff || spot.facts.draft {
            return;
        }
        self.appear(spot.sender, event);
        self.act(spot.sender, event, "download", Some(spot.content), spot.playlist);
        self.sign(spot.sender, spot.at, SignKind::Download(spot.content));
        if spot.facts.subject.plays {
            return;
        }
        let viewer = spot.sender.name_at(spot.at);
        let consent = spot.sender.consent_at(spot.at);
        let seen = self.seen_row(spot, viewer, consent);
        if counts_again(seen.counted_at, spot.at) {
            seen.counted_at = Some(spot.at);
            self.counted(spot, viewer);
        }
    }

    /// Updates visits and active days; only for people with consent.
    fn appear(&mut self, sender: &Sender, event: &Event) {
        let Some(since) = sender.consent_at(event.at) else { return };
        let (key, day) = ((sender.org, sender.person), day_of(event.at));
        let known = self.stage.visitors.get(&key).filter(|row| row.since == since);
        let (visit, new) = visit::touch(known.map(|row| row.visit), event.at);
        let active_day = known.map(|row| row.active_day);
        if active_day != Some(day) {
            self.sign(sender, event.at, SignKind::ActiveDay);
        }
        let row = VisitorRow { visit, active_day: active_day.map_or(day, |before| before.max(day)), since };
        self.stage.visitors.insert(key, row);
        self.visitors.insert(key);
        if new {
            let hour = hour_of(event.at);
            self.people
                .entry((sender.org, sender.person, hour, Uid::nil(), Uid::nil()))
                .or_default()
                .visits += 1;
            self.act(sender, event, "visit", None, None);
        }
    }

    /// Adds an entry to the person's history; only for app users with consent.
    fn act(
        &mut self,
        sender: &Sender,
        event: &Event,
        kind: &'static str,
        content: Option<Uid>,
        playlist: Option<Uid>,
    ) {
        if sender.consent_at(event.at).is_some() && !sender.staff {
            self.activity.push(Activity {
                org: sender.org,
                person: sender.person,
                at: event.at,
                uid: event.id,
                kind,
                content,
                playlist,
                view: None,
            });
        }
    }

    fn sign(&mut self, sender: &Sender, at: Millis, what: SignKind) {
        if let Some(since) = sender.consent_at(at) {
            self.signs.push(Sign { org: sender.org, person: sender.person, since, day: day_of(at), what });
        }
    }

    fn add(&mut self, spot: Spot<'_>, watch_ms: Millis, views: i64) {
        let Spot { sender: Sender { org, person, .. }, at, content, playlist, .. } = spot;
        let add = |sum: &mut Sum| {
            sum.watch_ms += watch_ms;
            sum.views += views;
        };
        add(self.orgs.entry((*org, hour_of(at))).or_default());
        add(self.contents.entry((*org, day_of(at), content)).or_default());
        if let Some(playlist) = playlist {
            add(self.playlists.entry((*org, playlist)).or_default());
        }
        if spot.sender.consent_at(at).is_some() {
            let key = (*org, *person, hour_of(at), content, playlist.unwrap_or_default());
            let sum = self.people.entry(key).or_default();
            sum.watch_ms += watch_ms;
            sum.views += views;
        }
    }

    /// Returns the viewer's coverage of the content item; coverage from under an earlier consent is reset.
    fn seen_row(&mut self, spot: Spot<'_>, viewer: Uid, consent: Option<Millis>) -> &mut SeenRow {
        let key = (spot.sender.org, viewer, spot.content);
        self.seen.insert(key);
        let row = self.stage.seen.entry(key).or_default();
        let since = consent.unwrap_or_default();
        if row.since != since {
            *row = SeenRow { counted_at: row.counted_at, since, ..SeenRow::default() };
        }
        row
    }

    /// Writes all changes, ordered by key.
    pub async fn save(self, parts: &Parts, tx: &WriteTx, requests: &[Request]) -> Result<(), DbErr> {
        let batches: Vec<Batch<'_>> = self
            .kept
            .into_iter()
            .map(|(number, viewer, rejected)| {
                let request = &requests[number];
                Batch {
                    org: request.org,
                    viewer,
                    received_at: request.received_at,
                    events: &request.kept,
                    rejected,
                }
            })
            .collect();
        states::keep(tx, &batches).await?;
        let stage = &self.stage;
        states::save_views(tx, self.views.iter().filter_map(|key| Some((*key, stage.views.get(key)?))))
            .await?;
        states::save_seen(tx, self.seen.iter().filter_map(|key| Some((*key, stage.seen.get(key)?)))).await?;
        let visitors = self.visitors.iter().filter_map(|key| Some((*key, stage.visitors.get(key)?)));
        states::save_visitors(tx, visitors).await?;
        sums::add_org(tx, &self.orgs).await?;
        sums::add_content(tx, &self.contents).await?;
        sums::add_playlist(tx, &self.playlists).await?;
        sums::add_person(tx, &self.people).await?;
        sums::add_activity(tx, &self.activity).await?;
        let mut contents: BTreeMap<(Uid, Uid), Sum> = BTreeMap::new();
        for ((org, _, content), sum) in &self.contents {
            let total = contents.entry((*org, *content)).or_default();
            total.watch_ms += sum.watch_ms;
            total.views += sum.views;
        }
        for ((org, content), sum) in contents {
            parts.content.add_stats(tx, org, content, sum.views, sum.watch_ms).await?;
        }
        for ((org, playlist), sum) in &self.playlists {
            parts.playlists.add_watch_time(tx, *org, *playlist, sum.watch_ms).await?;
        }
        if let Some(interest) = parts.interest.as_ref().filter(|_| !self.signs.is_empty()) {
            interest.note(tx, &self.signs).await?;
        }
        Ok(())
    }
}

/// Returns how many of the leading events are beats of the same view, content item and playlist.
fn run_length(events: &[Event]) -> usize {
    let place = |event: &Event| match &event.what {
        What::Beat { view, content, playlist, .. } => Some((*view, *content, *playlist)),
        _ => None,
    };
    match events.first().and_then(place) {
        Some(first) => events.iter().take_while(|event| place(event) == Some(first)).count(),
        None => 1,
    }
}

/// Returns the initial verdict: the reason why a view can never count, or `TooShort`.
fn first_verdict(spot: Spot<'_>, bot: bool) -> Verdict {
    match spot {
        Spot { facts: ContentFacts { draft: true, .. }, .. } => Verdict::Draft,
        Spot { sender: Sender { staff: true, .. }, .. } => Verdict::Staff,
        _ if bot => Verdict::Bot,
        _ => Verdict::TooShort,
    }
}

/// Updates the coverage and returns a signal for the newly covered share, if any.
fn cover(seen: &mut SeenRow, content: Uid, covered: f64) -> Option<SignKind> {
    let new = covered - seen.covered;
    (new > 0.0).then(|| {
        seen.covered = covered;
        SignKind::Covered(content, new)
    })
}
