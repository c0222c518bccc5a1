//! The stored form of a request, as it is decided.

use kernel::{ContentId, EventId, Millis, PlaylistId, Timestamp, ViewId, ViewerId};
use sea_orm::ActiveEnum as _;

use super::Request;
use super::batch_context::Sender;
use crate::definitions::day_of;
use crate::definitions::view::{Beat, Verdict};
use crate::raw::{RawBeat, RawEvents, RawInteraction, RawVerdict, RawView};
use crate::store::event_items::ContentInfo;
use crate::store::raw::Batch;

/// Events of one request under one name of its sender.
struct Part {
    viewer: ViewerId,
    since: Timestamp,
    events: RawEvents,
}

/// What is stored of one request. A sender whose consent begins in between, or whose day ends, has several names.
pub struct Recording<'a> {
    request: &'a Request,
    sender: &'a Sender,
    parts: Vec<Part>,
}

/// The view to which a beat or a decision belongs.
#[derive(Clone, Copy)]
pub struct RecordedView {
    pub view: ViewId,
    pub content: ContentId,
    pub playlist: Option<PlaylistId>,
    pub info: ContentInfo,
}

/// A beat with what it was credited.
#[derive(Clone, Copy)]
pub struct RecordedBeat<'a> {
    pub beat: &'a Beat,
    pub at: Timestamp,
    pub credit_ms: Millis,
    pub over_ms: Millis,
}

impl<'a> Recording<'a> {
    /// Begins the stored form of a request.
    pub fn new(request: &'a Request, sender: &'a Sender) -> Self {
        Self { request, sender, parts: Vec::new() }
    }

    /// Returns the part for what happened at `at`.
    fn part(&mut self, at: Timestamp) -> &mut RawEvents {
        let viewer = self.sender.name_at(at);
        let since = self.sender.consent_at(at).unwrap_or(Timestamp::EPOCH);
        let index = if let Some(index) =
            self.parts.iter().position(|part| part.viewer == viewer && part.since == since)
        {
            index
        } else {
            let client = &self.request.client;
            let (country, app) = (client.country.clone(), client.app.clone());
            let events = RawEvents::new(self.sender.staff, client.bot, client.device, country, app);
            self.parts.push(Part { viewer, since, events });
            self.parts.len() - 1
        };
        &mut self.parts[index].events
    }

    fn view(&mut self, at: Timestamp, of: RecordedView) -> &mut RawView {
        let views = &mut self.part(at).views;
        let is_same = |view: &RawView| view.view == of.view && view.playlist == of.playlist;
        let index = if let Some(index) = views.iter().rposition(is_same) {
            index
        } else {
            views.push(RawView {
                view: of.view,
                content: of.content,
                playlist: of.playlist,
                kind: of.info.kind.to_value(),
                length: of.info.subject.length,
                draft: of.info.draft,
                beats: Vec::new(),
                counted: None,
                verdicts: Vec::new(),
            });
            views.len() - 1
        };
        &mut views[index]
    }

    /// Returns how long before the receipt something happened.
    fn ago(&self, at: Timestamp) -> Millis {
        self.request.received_at - at
    }

    /// Adds a beat.
    pub fn beat(&mut self, of: RecordedView, recorded: RecordedBeat<'_>) {
        let RecordedBeat { beat, at, credit_ms, over_ms } = recorded;
        let ago = self.ago(at);
        let state = beat.state.as_str().into();
        let raw = RawBeat(beat.seq, beat.from, beat.to, beat.rate, state, ago, credit_ms, over_ms);
        self.view(at, of).beats.push(raw);
    }

    /// Adds that what happened at `at` made a view count, at `counted_at`.
    pub fn counted(&mut self, of: RecordedView, at: Timestamp, counted_at: Timestamp) {
        let ago = self.ago(counted_at);
        self.view(at, of).counted = Some(ago);
    }

    /// Adds a change of the number of views with a verdict at `noted_at`, decided by what happened at `at`.
    pub fn verdict(
        &mut self,
        of: RecordedView,
        at: Timestamp,
        noted_at: Timestamp,
        verdict: Verdict,
        by: i64,
    ) {
        let ago = self.ago(noted_at);
        self.view(at, of).verdicts.push(RawVerdict(ago, verdict, by));
    }

    /// Adds that a visit starts at `at`.
    pub fn visit(&mut self, at: Timestamp) {
        let ago = self.ago(at);
        self.part(at).visits.push(ago);
    }

    /// Adds another event than a beat.
    pub fn interaction(
        &mut self,
        kind: &'static str,
        id: EventId,
        at: Timestamp,
        content: Option<ContentId>,
        playlist: Option<PlaylistId>,
    ) {
        let ago = self.ago(at);
        self.part(at).interactions.push(RawInteraction(kind.into(), id, content, playlist, ago));
    }

    /// Returns the rows to store.
    pub fn batches(mut self, rejected: Option<String>) -> Vec<Batch> {
        let received_at = self.request.received_at;
        if self.parts.is_empty() && rejected.is_some() {
            self.part(received_at);
        }
        let mut rejected = rejected;
        let batch = |part: Part| Batch {
            org: self.request.org,
            day: day_of(received_at),
            viewer: part.viewer,
            since: part.since,
            received_at,
            events: part.events.text(),
            rejected: rejected.take(),
        };
        self.parts.into_iter().map(batch).collect()
    }
}
