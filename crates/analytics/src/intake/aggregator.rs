//! Applies the definitions to a batch of requests in memory and writes the result.

use std::collections::{BTreeMap, BTreeSet};

use db::WriteTx;
use httpkit::ApiError;
use kernel::{ContentId, Millis, OrgId, PlaylistId, Timestamp, ViewId, ViewerId};
use sea_orm::DbErr;

use super::Request;
use super::batch_context::{BatchContext, Sender};
use crate::AnalyticsDeps;
use crate::definitions::view::{Credit, Verdict, View, counts_again, share};
use crate::definitions::{SECTIONS_MAX, day_of, hour_of, visit};
use crate::model::{Event, EventData, Outcome, RejectReason};
use crate::ports::{InterestSignal, SignalKind};
use crate::store::event_items::{ContentInfo, ContentKey, PlaylistKey};
use crate::store::states::{
    self, Batch, CoverageKey, CoverageRow, InteractionKey, ViewKey, ViewRow, VisitorKey, VisitorRow,
};
use crate::store::sums::{self, Activity, ContentDayKey, OrgHourKey, PersonHourKey, PersonSum, Sum};

/// Pending changes of one transaction: the state that was read, the keys that changed, and the increments.
pub struct EventAggregator {
    batch: BatchContext,
    views: BTreeSet<ViewKey>,
    coverage: BTreeSet<CoverageKey>,
    visitors: BTreeSet<VisitorKey>,
    orgs: BTreeMap<OrgHourKey, Sum>,
    items: BTreeMap<ContentDayKey, Sum>,
    playlists: BTreeMap<PlaylistKey, Sum>,
    people: BTreeMap<PersonHourKey, PersonSum>,
    activity: Vec<Activity>,
    signals: Vec<InterestSignal>,
    accepted: Vec<AcceptedRequest>,
}

/// A request to be stored.
struct AcceptedRequest {
    /// Index among the requests of the batch.
    number: usize,
    /// The viewer name it is stored under.
    viewer: ViewerId,
    /// The rejected events as JSON; `None` if all were accepted.
    rejected: Option<String>,
}

/// A content item, for its total over all days.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ContentTotalKey {
    org: OrgId,
    content: ContentId,
}

/// Context in which an event is counted.
#[derive(Clone, Copy)]
struct EventContext<'a> {
    sender: &'a Sender,
    at: Timestamp,
    content: ContentId,
    /// The playlist, if it contains the content item.
    playlist: Option<PlaylistId>,
    info: ContentInfo,
}

impl EventAggregator {
    pub fn new(batch: BatchContext) -> Self {
        Self {
            batch,
            views: BTreeSet::new(),
            coverage: BTreeSet::new(),
            visitors: BTreeSet::new(),
            orgs: BTreeMap::new(),
            items: BTreeMap::new(),
            playlists: BTreeMap::new(),
            people: BTreeMap::new(),
            activity: Vec::new(),
            signals: Vec::new(),
            accepted: Vec::new(),
        }
    }

    /// Processes one request. Fails if the sender is not allowed to send events to this organisation.
    pub fn process(&mut self, number: usize, request: &Request) -> Result<Outcome, ApiError> {
        let sender = match &self.batch.senders[number] {
            Ok(sender) => sender.clone(),
            Err(_) => return Err(self.take_sender_error(number)),
        };
        let mut outcome = Outcome { accepted: 0, rejected: request.rejected.clone() };
        let mut rest = request.events.as_slice();
        while !rest.is_empty() {
            let (run, others) = rest.split_at(run_length(rest));
            match self.process_run(&sender, request, run) {
                Ok(()) => outcome.accepted += run.len(),
                Err(reason) => outcome.rejected.extend(run.iter().map(|event| (event.id, reason))),
            }
            rest = others;
        }
        let rejected = (!outcome.rejected.is_empty())
            .then(|| serde_json::to_string(&outcome.rejected).unwrap_or_default());
        let viewer = sender.name_at(request.received_at);
        self.accepted.push(AcceptedRequest { number, viewer, rejected });
        Ok(outcome)
    }

    fn take_sender_error(&mut self, number: usize) -> ApiError {
        let taken = std::mem::replace(&mut self.batch.senders[number], Err(orgs::Error::NotFound));
        taken.err().unwrap_or(orgs::Error::NotFound).into()
    }

    /// Processes a run of beats of one view, or a single other event.
    fn process_run(&mut self, sender: &Sender, request: &Request, run: &[Event]) -> Result<(), RejectReason> {
        let Some(event) = run.first() else { return Ok(()) };
        match &event.data {
            EventData::Beat { view, content, playlist, .. } => {
                let context = self.event_context(sender, event.at, *content, *playlist)?;
                self.apply_beats(context, request, *view, run)
            }
            EventData::Visit => {
                if self.take_interaction(sender, event) && !request.bot {
                    self.record_presence(sender, event);
                }
                Ok(())
            }
            EventData::Download { content, playlist } => {
                let context = self.event_context(sender, event.at, *content, *playlist)?;
                if self.take_interaction(sender, event) && !request.bot {
                    self.download(context, event);
                }
                Ok(())
            }
            EventData::Contact { playlist } => {
                let key = PlaylistKey { org: sender.org, playlist: *playlist };
                let visible = self.batch.playlists.get(&key).copied();
                if !visible.is_some_and(|visible| visible || sender.staff) {
                    return Err(RejectReason::NotFound);
                }
                if self.take_interaction(sender, event) && !request.bot {
                    self.record_presence(sender, event);
                    self.add_activity(sender, event, "contact", None, Some(*playlist));
                    self.add_signal(sender, event.at, SignalKind::Contact(*playlist));
                }
                Ok(())
            }
        }
    }

    /// Takes the event's interaction. Returns false if it is a repeat, of an earlier batch or of this one.
    fn take_interaction(&mut self, sender: &Sender, event: &Event) -> bool {
        self.batch.new_interactions.remove(&InteractionKey { org: sender.org, event: event.id })
    }

    /// Returns the context of an event if the sender may see the content item.
    fn event_context<'a>(
        &self,
        sender: &'a Sender,
        at: Timestamp,
        content: ContentId,
        playlist: Option<PlaylistId>,
    ) -> Result<EventContext<'a>, RejectReason> {
        let key = ContentKey::new(sender.org, content, playlist);
        let info = self.batch.items.get(&key).copied().ok_or(RejectReason::NotFound)?;
        let visible = if sender.staff { info.visible_to_staff } else { info.visible_to_users };
        if !visible {
            return Err(RejectReason::NotFound);
        }
        Ok(EventContext { sender, at, content, playlist: playlist.filter(|_| info.in_playlist), info })
    }

    fn apply_beats(
        &mut self,
        context: EventContext<'_>,
        request: &Request,
        uid: ViewId,
        run: &[Event],
    ) -> Result<(), RejectReason> {
        let viewer = context.sender.name_at(context.at);
        let key = ViewKey { org: context.sender.org, view: uid };
        let new_row = || ViewRow {
            viewer,
            content: context.content,
            playlist: context.playlist,
            view: View::begin(context.at, first_verdict(context, request.bot)),
        };
        // Removed from the map while the run is processed; every path below puts it back.
        let mut row = self.batch.views.remove(&key).unwrap_or_else(new_row);
        let Sender { org, person, .. } = *context.sender;
        let own =
            row.viewer == viewer || self.batch.names.is_name_of(row.viewer, org, person, request.received_at);
        let fits = own && row.content == context.content;
        if fits {
            self.apply_run(context, request, uid, run, &mut row);
            self.views.insert(key);
        }
        self.batch.views.insert(key, row);
        if fits { Ok(()) } else { Err(RejectReason::ForeignView) }
    }

    fn apply_run(
        &mut self,
        context: EventContext<'_>,
        request: &Request,
        uid: ViewId,
        run: &[Event],
        row: &mut ViewRow,
    ) {
        let counts = !(context.sender.staff || request.bot || context.info.draft);
        let mut credits: Vec<(Timestamp, Credit)> = Vec::with_capacity(run.len());
        for event in run {
            let EventData::Beat { beat, .. } = &event.data else { continue };
            let Some(credit) = row.view.apply(context.info.subject, beat, event.at) else { continue };
            if !counts {
                continue;
            }
            self.record_presence(context.sender, event);
            if credit.credit_ms > 0 {
                credits.push((event.at, credit));
            }
            self.judge(EventContext { at: event.at, ..context }, uid, &mut row.view);
        }
        let hour_and_consent =
            |(at, _): &(Timestamp, Credit)| (hour_of(*at), context.sender.consent_at(*at).is_some());
        for hour in credits.chunk_by(|one, next| hour_and_consent(one) == hour_and_consent(next)) {
            self.credit(context, hour);
        }
    }

    /// Adds the watch time of one hour, which counts whatever the view's verdict, and updates coverage.
    fn credit(&mut self, context: EventContext<'_>, credits: &[(Timestamp, Credit)]) {
        let Some((at, _)) = credits.first() else { return };
        let context = EventContext { at: *at, ..context };
        self.add_totals(context, credits.iter().map(|(_, credit)| credit.credit_ms).sum(), 0);
        let Some(since) = context.sender.consent_at(context.at) else { return };
        let day = day_of(context.at);
        let coverage = self.coverage_row(context, context.sender.name_at(context.at), Some(since));
        let new_day = coverage.watched_day != day;
        coverage.watched_day = coverage.watched_day.max(day);
        for (from, to) in credits.iter().filter_map(|(_, credit)| credit.section) {
            coverage.sections.add(from, to, 0);
        }
        coverage.sections.reduce_to(SECTIONS_MAX);
        let covered = update_coverage(
            coverage,
            context.content,
            share(&coverage.sections, context.info.subject.duration_ms),
        );
        let signals = new_day.then_some(SignalKind::Watched(context.content)).into_iter().chain(covered);
        for kind in signals {
            self.add_signal(context.sender, context.at, kind);
        }
    }

    /// Counts the view once its credit reaches the threshold.
    fn judge(&mut self, context: EventContext<'_>, uid: ViewId, view: &mut View) {
        if view.verdict != Verdict::TooShort || view.credit_ms < context.info.subject.threshold() {
            return;
        }
        let viewer = context.sender.name_at(context.at);
        let consent = context.sender.consent_at(context.at);
        let last = self.coverage_row(context, viewer, consent).counted_at;
        if !view.judge(context.info.subject, last) {
            return;
        }
        self.coverage_row(context, viewer, consent).counted_at = Some(view.began_at);
        self.count_view(context, viewer);
        if consent.is_some() {
            self.activity.push(Activity {
                org: context.sender.org,
                person: context.sender.person,
                at: view.began_at,
                uid: uid.into(),
                kind: "view",
                content: Some(context.content),
                playlist: context.playlist,
                view: Some(uid),
            });
        }
    }

    /// Adds a counted view. An item that does not play counts as fully covered.
    fn count_view(&mut self, context: EventContext<'_>, viewer: ViewerId) {
        self.add_totals(context, 0, 1);
        let Some(since) = context.sender.consent_at(context.at) else { return };
        if !context.info.subject.plays {
            let coverage = self.coverage_row(context, viewer, Some(since));
            if let Some(kind) = update_coverage(coverage, context.content, 1.0) {
                self.add_signal(context.sender, context.at, kind);
            }
        }
    }

    /// Records a download; for items that do not play it also counts as a view.
    fn download(&mut self, context: EventContext<'_>, event: &Event) {
        if context.sender.staff || context.info.draft {
            return;
        }
        self.record_presence(context.sender, event);
        self.add_activity(context.sender, event, "download", Some(context.content), context.playlist);
        self.add_signal(context.sender, context.at, SignalKind::Download(context.content));
        if context.info.subject.plays {
            return;
        }
        let viewer = context.sender.name_at(context.at);
        let consent = context.sender.consent_at(context.at);
        let coverage = self.coverage_row(context, viewer, consent);
        if counts_again(coverage.counted_at, context.at) {
            coverage.counted_at = Some(context.at);
            self.count_view(context, viewer);
        }
    }

    /// Updates visits and active days; only for people with consent.
    fn record_presence(&mut self, sender: &Sender, event: &Event) {
        let Some(since) = sender.consent_at(event.at) else { return };
        let key = VisitorKey { org: sender.org, person: sender.person };
        let day = day_of(event.at);
        let known = self.batch.visitors.get(&key).filter(|row| row.since == since);
        let (visit, new) = visit::visit_at(known.map(|row| row.visit), event.at);
        let active_day = known.map(|row| row.active_day);
        if active_day != Some(day) {
            self.add_signal(sender, event.at, SignalKind::ActiveDay);
        }
        let row = VisitorRow { visit, active_day: active_day.map_or(day, |before| before.max(day)), since };
        self.batch.visitors.insert(key, row);
        self.visitors.insert(key);
        if new {
            self.add_signal(sender, event.at, SignalKind::Visit);
            let key = PersonHourKey {
                org: sender.org,
                person: sender.person,
                hour: hour_of(event.at),
                content: None,
                playlist: None,
            };
            self.people.entry(key).or_default().visits += 1;
            self.add_activity(sender, event, "visit", None, None);
        }
    }

    /// Adds an entry to the person's history; only for app users with consent.
    fn add_activity(
        &mut self,
        sender: &Sender,
        event: &Event,
        kind: &'static str,
        content: Option<ContentId>,
        playlist: Option<PlaylistId>,
    ) {
        if sender.consent_at(event.at).is_some() && !sender.staff {
            self.activity.push(Activity {
                org: sender.org,
                person: sender.person,
                at: event.at,
                uid: event.id.into(),
                kind,
                content,
                playlist,
                view: None,
            });
        }
    }

    fn add_signal(&mut self, sender: &Sender, at: Timestamp, kind: SignalKind) {
        if let Some(since) = sender.consent_at(at) {
            self.signals.push(InterestSignal {
                org: sender.org,
                person: sender.person,
                since,
                at,
                day: day_of(at),
                kind,
            });
        }
    }

    fn add_totals(&mut self, context: EventContext<'_>, watch_ms: Millis, views: i64) {
        let EventContext { sender, at, content, playlist, .. } = context;
        let (org, hour) = (sender.org, hour_of(at));
        let add = |sum: &mut Sum| {
            sum.watch_ms += watch_ms;
            sum.views += views;
        };
        add(self.orgs.entry(OrgHourKey { org, hour }).or_default());
        add(self.items.entry(ContentDayKey { org, day: day_of(at), content }).or_default());
        if let Some(playlist) = playlist {
            add(self.playlists.entry(PlaylistKey { org, playlist }).or_default());
        }
        if sender.consent_at(at).is_some() {
            let person = sender.person;
            let key = PersonHourKey { org, person, hour, content: Some(content), playlist };
            let sum = self.people.entry(key).or_default();
            sum.watch_ms += watch_ms;
            sum.views += views;
        }
    }

    /// Returns the viewer's coverage of the content item; coverage from under an earlier consent is reset.
    fn coverage_row(
        &mut self,
        context: EventContext<'_>,
        viewer: ViewerId,
        consent: Option<Timestamp>,
    ) -> &mut CoverageRow {
        let key = CoverageKey { org: context.sender.org, viewer, content: context.content };
        self.coverage.insert(key);
        let row = self.batch.coverage.entry(key).or_default();
        if row.since != consent {
            *row = CoverageRow { counted_at: row.counted_at, since: consent, ..CoverageRow::default() };
        }
        row
    }

    /// Writes all changes, ordered by key.
    pub async fn save(self, deps: &AnalyticsDeps, tx: &WriteTx, requests: &[Request]) -> Result<(), DbErr> {
        let batches: Vec<Batch<'_>> = self
            .accepted
            .into_iter()
            .map(|AcceptedRequest { number, viewer, rejected }| {
                let request = &requests[number];
                Batch {
                    org: request.org,
                    viewer,
                    received_at: request.received_at,
                    events: &request.stored,
                    rejected,
                }
            })
            .collect();
        states::insert_batches(tx, &batches).await?;
        let batch = &self.batch;
        states::save_views(tx, self.views.iter().filter_map(|key| Some((*key, batch.views.get(key)?))))
            .await?;
        states::save_coverage(
            tx,
            self.coverage.iter().filter_map(|key| Some((*key, batch.coverage.get(key)?))),
        )
        .await?;
        let visitors = self.visitors.iter().filter_map(|key| Some((*key, batch.visitors.get(key)?)));
        states::save_visitors(tx, visitors).await?;
        sums::add_org(tx, &self.orgs).await?;
        sums::add_content(tx, &self.items).await?;
        sums::add_playlist(tx, &self.playlists).await?;
        sums::add_person(tx, &self.people).await?;
        sums::add_activity(tx, &self.activity).await?;
        let mut items: BTreeMap<ContentTotalKey, Sum> = BTreeMap::new();
        for (ContentDayKey { org, content, .. }, sum) in &self.items {
            let total = items.entry(ContentTotalKey { org: *org, content: *content }).or_default();
            total.watch_ms += sum.watch_ms;
            total.views += sum.views;
        }
        for (ContentTotalKey { org, content }, sum) in items {
            deps.content.add_stats(tx, org, content, sum.views, sum.watch_ms).await?;
        }
        for (PlaylistKey { org, playlist }, sum) in &self.playlists {
            deps.playlists.add_watch_time(tx, *org, *playlist, sum.watch_ms).await?;
        }
        if let Some(interest) = deps.interest.as_ref().filter(|_| !self.signals.is_empty()) {
            interest.record(tx, &self.signals).await?;
        }
        Ok(())
    }
}

/// Returns how many of the leading events are beats of the same view, content item and playlist.
fn run_length(events: &[Event]) -> usize {
    let target = |event: &Event| match &event.data {
        EventData::Beat { view, content, playlist, .. } => Some((*view, *content, *playlist)),
        _ => None,
    };
    match events.first().and_then(target) {
        Some(first) => events.iter().take_while(|event| target(event) == Some(first)).count(),
        None => 1,
    }
}

/// Returns the initial verdict: the reason why a view can never count, or `TooShort`.
fn first_verdict(context: EventContext<'_>, bot: bool) -> Verdict {
    match context {
        EventContext { info: ContentInfo { draft: true, .. }, .. } => Verdict::Draft,
        EventContext { sender: Sender { staff: true, .. }, .. } => Verdict::Staff,
        _ if bot => Verdict::Bot,
        _ => Verdict::TooShort,
    }
}

/// Updates the coverage and returns a signal for the newly covered share, if any.
fn update_coverage(coverage: &mut CoverageRow, content: ContentId, covered: f64) -> Option<SignalKind> {
    let new = covered - coverage.covered;
    (new > 0.0).then(|| {
        coverage.covered = covered;
        SignalKind::Covered(content, new)
    })
}
