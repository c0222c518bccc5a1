//! Applies the definitions to a batch of requests in memory.

mod counting;

use std::collections::BTreeSet;
use std::sync::Arc;

use httpkit::ApiError;
use kernel::{ContentId, Millis, OrgId, PlaylistId, Timestamp, ViewId};

use super::Request;
use super::batch_context::{BatchContext, Sender};
use super::recording::{RecordedBeat, RecordedView, Recording};
use crate::definitions::view::{Credit, Form, Verdict, View};
use crate::definitions::zone::{Clock, LocalTime};
use crate::definitions::{caps, day_of};
use crate::model::{Event, EventData, Outcome, RejectReason, ReportedLength, runs};
use crate::ports::{InterestSignal, SignalKind};
use crate::store::event_items::{ContentInfo, ContentKey};
use crate::store::names::{StartsKey, ViewerHourKey};
use crate::store::raw::{Batch, ItemKey};
use crate::store::states::{CoverageKey, CoverageRow, InteractionKey, ViewKey, ViewRow, VisitorKey};
use crate::store::sums::Activity;
use crate::store::view_packs::SubjectDay;
use crate::totals::{CreditContext, Named, PlaylistKey, Sum, Totals, VerdictSum};

/// Pending changes of one transaction: the state that was read, the keys that changed, and the increments.
pub struct EventAggregator {
    pub(super) batch: BatchContext,
    pub(super) views: BTreeSet<ViewKey>,
    /// Days on which counted views changed.
    pub(super) days: BTreeSet<SubjectDay>,
    pub(super) coverage: BTreeSet<CoverageKey>,
    pub(super) visitors: BTreeSet<VisitorKey>,
    pub(super) starts: Vec<(StartsKey, Timestamp)>,
    pub(super) hours: BTreeSet<ViewerHourKey>,
    pub(super) lengths: BTreeSet<ItemKey>,
    pub(super) totals: Totals,
    pub(super) activity: Vec<Activity>,
    pub(super) signals: Vec<InterestSignal>,
    pub(super) recorded: Vec<Batch>,
}

/// Context in which an event is counted.
#[derive(Clone, Copy)]
struct EventContext<'a> {
    sender: &'a Sender,
    received_at: Timestamp,
    at: Timestamp,
    local: LocalTime,
    content: ContentId,
    /// The playlist, if it contains the content item.
    playlist: Option<PlaylistId>,
    info: ContentInfo,
}

impl EventContext<'_> {
    fn place(&self) -> CreditContext {
        let Self { content, playlist, .. } = *self;
        CreditContext { org: self.sender.org, content, playlist, named: named_at(self.sender, self.at) }
    }

    fn view(&self, view: ViewId) -> RecordedView {
        RecordedView { view, content: self.content, playlist: self.playlist, info: self.info }
    }
}

/// Returns to whom something at `at` is attributed.
fn named_at(sender: &Sender, at: Timestamp) -> Option<Named> {
    sender.consent_at(at).map(|since| Named { person: sender.person, since })
}

/// What a beat added to a view.
struct BeatCredit {
    at: Timestamp,
    section: Option<(i64, i64)>,
}

/// Watch time of beats in one place and hour.
#[derive(Clone, Copy)]
struct Watched {
    place: CreditContext,
    local: LocalTime,
    sum: Sum,
}

impl EventAggregator {
    pub fn new(batch: BatchContext) -> Self {
        Self {
            batch,
            views: BTreeSet::new(),
            days: BTreeSet::new(),
            coverage: BTreeSet::new(),
            visitors: BTreeSet::new(),
            starts: Vec::new(),
            hours: BTreeSet::new(),
            lengths: BTreeSet::new(),
            totals: Totals::default(),
            activity: Vec::new(),
            signals: Vec::new(),
            recorded: Vec::new(),
        }
    }

    /// Processes one request. Fails if the sender is not allowed to send events to this organisation.
    pub fn process(&mut self, number: usize, request: &Request) -> Result<Outcome, ApiError> {
        let sender = match &self.batch.senders[number] {
            Ok(sender) => Arc::clone(sender),
            Err(_) => return Err(self.take_sender_error(number)),
        };
        let zone = self.batch.zones.get(&sender.org).map(Arc::clone);
        let zone = zone.ok_or(ApiError::from(orgs::Error::NotFound))?;
        let mut outcome = Outcome { accepted: 0, rejected: request.rejected.clone() };
        let mut intake = RequestIntake {
            aggregator: self,
            request,
            sender: &sender,
            clock: Clock::new(&zone),
            recording: Recording::new(request, &sender),
        };
        for run in runs(&request.events) {
            match intake.process_run(run) {
                Ok(()) => outcome.accepted += run.len(),
                Err(reason) => outcome.rejected.extend(run.iter().map(|event| (Some(event.id), reason))),
            }
        }
        let rejected = (!outcome.rejected.is_empty())
            .then(|| serde_json::to_string(&outcome.rejected).unwrap_or_default());
        let batches = intake.recording.batches(rejected);
        self.recorded.extend(batches);
        Ok(outcome)
    }

    fn take_sender_error(&mut self, number: usize) -> ApiError {
        let taken = std::mem::replace(&mut self.batch.senders[number], Err(orgs::Error::NotFound));
        taken.err().unwrap_or(orgs::Error::NotFound).into()
    }

    /// Returns how much of a credit counts, and adds it to the hour of the sender.
    fn take_hour(&mut self, context: &EventContext<'_>, credit_ms: Millis) -> Millis {
        let EventContext { sender, local, at, .. } = *context;
        let Some(key) = sender.hour_key(local.hour) else { return 0 };
        let hour_ms = self.batch.hours.entry(key).or_default();
        let counted = caps::counted(credit_ms, *hour_ms, at, sender.joined);
        *hour_ms += counted;
        if counted > 0 {
            self.hours.insert(key);
        }
        counted
    }

    /// Returns the length of an item, and keeps the first plausible one that a player reports.
    fn length(&mut self, org: OrgId, content: ContentId, reported: ReportedLength) -> ReportedLength {
        let key = ItemKey { org, content };
        let known = self.batch.lengths.entry(key).or_default();
        let length = known.or(reported);
        if length != *known {
            *known = length;
            self.lengths.insert(key);
        }
        length
    }

    fn coverage_row(&mut self, context: &EventContext<'_>) -> &mut CoverageRow {
        let viewer = context.sender.name_at(context.at);
        let key = CoverageKey { org: context.sender.org, viewer, content: context.content };
        self.coverage.insert(key);
        self.batch.coverage.entry(key).or_default()
    }

    fn add_signal(&mut self, sender: &Sender, at: Timestamp, kind: SignalKind) {
        if let Some(since) = sender.consent_at(at) {
            let Sender { org, person, .. } = *sender;
            self.signals.push(InterestSignal { org, person, since, at, day: day_of(at), kind });
        }
    }
}

/// One request on its way into the aggregator.
struct RequestIntake<'a> {
    aggregator: &'a mut EventAggregator,
    request: &'a Request,
    sender: &'a Sender,
    clock: Clock<'a>,
    recording: Recording<'a>,
}

impl<'a> RequestIntake<'a> {
    /// Processes a run of beats of one view, or a single other event.
    fn process_run(&mut self, run: &[Event]) -> Result<(), RejectReason> {
        let Some(event) = run.first() else { return Ok(()) };
        match &event.data {
            EventData::Beat { view, content, playlist, .. } => {
                let context = self.context(event.at, *content, *playlist)?;
                self.apply_beats(context, *view, run)
            }
            EventData::Visit => {
                if self.take_interaction(event) {
                    self.recording.interaction("visit", event.id, event.at, None, None);
                    self.record_presence(event);
                }
                Ok(())
            }
            EventData::Download { content, playlist } => {
                let context = self.context(event.at, *content, *playlist)?;
                if self.take_interaction(event) {
                    let playlist = context.playlist;
                    self.recording.interaction("download", event.id, event.at, Some(*content), playlist);
                    self.download(&context, event);
                }
                Ok(())
            }
            EventData::Contact { playlist } => {
                let key = PlaylistKey { org: self.sender.org, playlist: *playlist };
                let visible = self.aggregator.batch.playlists.get(&key).copied();
                if !visible.is_some_and(|visible| visible || self.sender.staff) {
                    return Err(RejectReason::NotFound);
                }
                if self.take_interaction(event) {
                    self.recording.interaction("contact", event.id, event.at, None, Some(*playlist));
                    if self.counts() {
                        self.record_presence(event);
                        self.add_activity(event, event.id.into(), "contact", None, Some(*playlist));
                        self.aggregator.add_signal(self.sender, event.at, SignalKind::Contact(*playlist));
                    }
                }
                Ok(())
            }
        }
    }

    /// Returns whether anything of this sender counts.
    fn counts(&self) -> bool {
        !self.request.client.bot && !self.sender.staff
    }

    /// Takes the event's interaction. Returns false if it is a repeat, of an earlier batch or of this one.
    fn take_interaction(&mut self, event: &Event) -> bool {
        let key = InteractionKey { org: self.sender.org, event: event.id };
        self.aggregator.batch.new_interactions.remove(&key)
    }

    /// Returns the context of an event if the sender may see the content item.
    fn context(
        &mut self,
        at: Timestamp,
        content: ContentId,
        playlist: Option<PlaylistId>,
    ) -> Result<EventContext<'a>, RejectReason> {
        let key = ContentKey::new(self.sender.org, content, playlist);
        let info = self.aggregator.batch.items.get(&key).copied().ok_or(RejectReason::NotFound)?;
        let visible = if self.sender.staff { info.visible_to_staff } else { info.visible_to_users };
        if !visible {
            return Err(RejectReason::NotFound);
        }
        Ok(EventContext {
            sender: self.sender,
            received_at: self.request.received_at,
            at,
            local: self.clock.local(at),
            content,
            playlist: playlist.filter(|_| info.in_playlist),
            info,
        })
    }

    fn apply_beats(
        &mut self,
        context: EventContext<'a>,
        uid: ViewId,
        run: &[Event],
    ) -> Result<(), RejectReason> {
        let key = ViewKey { org: self.sender.org, view: uid };
        // Removed from the map while the run is processed; every path below puts it back.
        let known = self.aggregator.batch.views.remove(&key);
        let mut row = match known {
            Some(row) if !self.sender.is_called(row.viewer) || row.content != context.content => {
                self.aggregator.batch.views.insert(key, row);
                return Err(RejectReason::ForeignView);
            }
            Some(row) => row,
            None => self.begin_view(&context, uid),
        };
        self.apply_run(context, uid, run, &mut row);
        self.aggregator.views.insert(key);
        self.aggregator.batch.views.insert(key, row);
        Ok(())
    }

    fn begin_view(&mut self, context: &EventContext<'_>, uid: ViewId) -> ViewRow {
        let verdict = match context.info.draft {
            true => Verdict::Draft,
            false if self.sender.staff => Verdict::Staff,
            false if self.request.client.bot => Verdict::Bot,
            false => Verdict::TooShort,
        };
        self.note(context, uid, context.at, (verdict, 1));
        self.view_row(context, View::begin(context.at, verdict))
    }

    /// Returns a view that begins with an event.
    fn view_row(&self, context: &EventContext<'_>, view: View) -> ViewRow {
        ViewRow {
            viewer: self.sender.name_at(context.at),
            content: context.content,
            playlist: context.playlist,
            noted_at: context.at,
            hour: context.local.hour,
            device: self.request.client.device,
            country: self.request.client.country.clone(),
            view,
        }
    }

    fn apply_run(&mut self, context: EventContext<'a>, uid: ViewId, run: &[Event], row: &mut ViewRow) {
        let counts = self.counts() && !context.info.draft;
        let mut credits: Vec<BeatCredit> = Vec::with_capacity(run.len());
        let mut watched: Option<Watched> = None;
        let mut context = context;
        for event in run {
            let EventData::Beat { beat, length, .. } = &event.data else { continue };
            (context.at, context.local) = (event.at, self.clock.local(event.at));
            self.take_length(&mut context.info, context.content, *length);
            let Some(credit) = row.view.apply(context.info.subject, beat, event.at) else { continue };
            let (credit_ms, over_ms) =
                if counts { self.credit(&context, credit, &mut watched) } else { (0, 0) };
            let recorded = RecordedBeat { beat, at: event.at, credit_ms, over_ms };
            self.recording.beat(context.view(uid), recorded);
            if !counts {
                continue;
            }
            row.view.refused_ms += credit.credit_ms - credit_ms;
            self.record_presence(event);
            if credit_ms > 0 {
                credits.push(BeatCredit { at: event.at, section: credit.section });
            }
            self.judge(&context, uid, row);
        }
        self.add_watched(watched);
        let before = std::mem::replace(&mut row.hour, self.clock.local(row.view.began_at).hour);
        self.aggregator.days.extend(row.days(self.sender.org, before));
        self.cover(context, &credits);
    }

    /// Fills in the length of an item that content does not know.
    fn take_length(&mut self, info: &mut ContentInfo, content: ContentId, reported: ReportedLength) {
        if info.subject.length.is_some() || info.subject.form == Form::Whole {
            return;
        }
        info.subject = self.aggregator.length(self.sender.org, content, reported).complete(info.subject);
    }

    /// Adds watch time, which counts whatever the verdict of the view, to `watched`. Returns what counted and what is over
    /// the limits.
    fn credit(
        &mut self,
        context: &EventContext<'_>,
        credit: Credit,
        watched: &mut Option<Watched>,
    ) -> (Millis, Millis) {
        let counted = self.aggregator.take_hour(context, credit.credit_ms);
        let over_ms = credit.over_ms + credit.credit_ms - counted;
        let sum = Sum::watched(counted, caps::is_late(context.at, context.received_at));
        let (place, local) = (context.place(), context.local);
        match watched {
            Some(same) if same.place == place && same.local == local => same.sum += sum,
            _ => self.add_watched(watched.replace(Watched { place, local, sum })),
        }
        if over_ms > 0 {
            let over = VerdictSum { views: 0, watch_ms: over_ms };
            self.aggregator.totals.add_verdict(self.sender.org, local.day, Verdict::Cap, over);
        }
        (counted, over_ms)
    }

    fn add_watched(&mut self, watched: Option<Watched>) {
        if let Some(Watched { place, local, sum }) = watched {
            self.aggregator.totals.add(place, local, sum);
        }
    }
}
