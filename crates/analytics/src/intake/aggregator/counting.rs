//! What counts: coverage, views, visits, and what histories and leads get.

use kernel::{ContentId, PlaylistId, Timestamp, Uid, ViewId};

use super::{BeatCredit, EventContext, RequestIntake};
use crate::definitions::view::{Form, Verdict, View, counts_again, share};
use crate::definitions::{SECTIONS_MAX, day_of};
use crate::intake::batch_context::Sender;
use crate::model::Event;
use crate::ports::SignalKind;
use crate::store::names::StartsKey;
use crate::store::states::{ViewKey, ViewRow, VisitorKey};
use crate::store::sums::Activity;
use crate::totals::{Named, Sum, VerdictSum};

impl<'a> RequestIntake<'a> {
    /// Updates what a person with consent has seen, a day at a time.
    pub(super) fn cover(&mut self, context: EventContext<'a>, credits: &[BeatCredit]) {
        let same = |one: &BeatCredit, next: &BeatCredit| {
            day_of(one.at) == day_of(next.at)
                && self.sender.consent_at(one.at).is_some() == self.sender.consent_at(next.at).is_some()
        };
        for day in credits.chunk_by(same) {
            let Some(first) = day.first() else { continue };
            let context = EventContext { at: first.at, ..context };
            if self.sender.consent_at(first.at).is_none() {
                continue;
            }
            let row = self.aggregator.coverage_row(&context);
            // Also before the last day: what was watched without a network arrives late. Who records interest drops repeats.
            let is_other_day = row.watched_day != day_of(first.at);
            row.watched_day = row.watched_day.max(day_of(first.at));
            for (from, to) in day.iter().filter_map(|credit| credit.section) {
                row.sections.add(from, to, 0);
            }
            row.sections.reduce_to(SECTIONS_MAX);
            let covered = share(&row.sections, context.info.subject.length);
            let covered = row.cover(covered).map(|new| SignalKind::Covered(context.content, new));
            let watched = is_other_day.then_some(SignalKind::Watched(context.content));
            for kind in watched.into_iter().chain(covered) {
                self.aggregator.add_signal(self.sender, first.at, kind);
            }
        }
    }

    /// Counts the view once its credit reaches the threshold.
    pub(super) fn judge(&mut self, context: &EventContext<'_>, uid: ViewId, row: &mut ViewRow) {
        if !row.view.is_to_be_judged(context.info.subject) {
            return;
        }
        let starts = self.counted_starts(context.content);
        let Some(verdict) = row.view.judge(context.info.subject, &starts) else { return };
        self.note(context, uid, row.noted_at, (Verdict::TooShort, -1));
        if verdict != Verdict::Counted {
            self.note(context, uid, row.noted_at, (verdict, 1));
            return;
        }
        let began_at = row.view.began_at;
        self.count_view(context, uid, began_at);
        if let Some(since) = self.sender.consent_at(context.at) {
            let Sender { org, person, .. } = *self.sender;
            let (content, playlist) = (Some(context.content), context.playlist);
            let at = began_at.max(since);
            let (uid, kind) = (uid.into(), "view");
            self.aggregator.activity.push(Activity { org, person, since, at, uid, kind, content, playlist });
        }
    }

    /// Adds to the views with a verdict.
    pub(super) fn note(
        &mut self,
        context: &EventContext<'_>,
        uid: ViewId,
        noted_at: Timestamp,
        (verdict, by): (Verdict, i64),
    ) {
        let sum = VerdictSum { views: by, watch_ms: 0 };
        let day = self.clock.local(noted_at).day;
        self.aggregator.totals.add_verdict(self.sender.org, day, verdict, sum);
        self.recording.verdict(context.view(uid), context.at, noted_at, verdict, by);
    }

    /// Returns the starts of the sender's counted views of an item.
    pub(super) fn counted_starts(&self, content: ContentId) -> Vec<Timestamp> {
        let starts = &self.aggregator.batch.starts;
        self.sender.start_keys(content).filter_map(|key| starts.get(&key)).flatten().copied().collect()
    }

    /// Adds a counted view to the hour in which it began: the list of views has it there. A person is named from the consent
    /// on. An item that is seen as a whole counts as fully covered.
    pub(super) fn count_view(&mut self, context: &EventContext<'_>, uid: ViewId, began_at: Timestamp) {
        let since = self.sender.consent_at(context.at);
        let counted_at = since.map_or(began_at, |since| began_at.max(since));
        let local = self.clock.local(counted_at);
        self.aggregator.totals.add(context.place(), local, Sum::one_view());
        self.recording.counted(context.view(uid), context.at, counted_at);
        let day = day_of(began_at);
        if let Some(viewer) = self.sender.anonymous_on(day) {
            let key = StartsKey { day, org: self.sender.org, viewer, content: context.content };
            self.aggregator.batch.starts.entry(key).or_default().push(began_at);
            self.aggregator.starts.push((key, began_at));
        }
        if context.info.subject.form == Form::Whole && since.is_some() {
            let row = self.aggregator.coverage_row(context);
            if let Some(new) = row.cover(1.0) {
                let kind = SignalKind::Covered(context.content, new);
                self.aggregator.add_signal(self.sender, context.at, kind);
            }
        }
    }

    /// Records a download. Of an item that does not play, it also is a view.
    pub(super) fn download(&mut self, context: &EventContext<'_>, event: &Event) {
        if !self.counts() || context.info.draft {
            return;
        }
        self.record_presence(event);
        self.add_activity(event, event.id.into(), "download", Some(context.content), context.playlist);
        self.aggregator.add_signal(self.sender, context.at, SignalKind::Download(context.content));
        let is_view = context.info.subject.form != Form::Plays && context.at >= self.sender.joined;
        if is_view && counts_again(&self.counted_starts(context.content), context.at) {
            self.view_download(context, ViewId::from(Uid::from(event.id)));
        }
    }

    /// Counts a download as a view, unless a player has begun one with its id.
    fn view_download(&mut self, context: &EventContext<'_>, uid: ViewId) {
        let key = ViewKey { org: self.sender.org, view: uid };
        if self.aggregator.batch.views.contains_key(&key) {
            return;
        }
        let row = self.view_row(context, View::of_download(context.at, context.info.subject));
        self.count_view(context, uid, context.at);
        self.aggregator.days.extend(row.days(key.org, row.hour));
        self.aggregator.views.insert(key);
        self.aggregator.batch.views.insert(key, row);
    }

    /// Updates visits and active days; only for people with consent.
    pub(super) fn record_presence(&mut self, event: &Event) {
        let Some(since) = self.sender.consent_at(event.at).filter(|_| self.counts()) else { return };
        let key = VisitorKey { org: self.sender.org, person: self.sender.person, since };
        let day = day_of(event.at);
        self.aggregator.visitors.insert(key);
        let row = self.aggregator.batch.visitors.entry(key).or_default();
        let is_active_day = row.active_day != day;
        row.active_day = row.active_day.max(day);
        row.last_at = row.last_at.max(event.at);
        let is_visit = row.visits.add(event.at);
        if is_active_day {
            self.aggregator.add_signal(self.sender, event.at, SignalKind::ActiveDay);
        }
        if is_visit {
            self.aggregator.add_signal(self.sender, event.at, SignalKind::Visit);
            let named = Named { person: self.sender.person, since };
            let hour = self.clock.local(event.at).hour;
            self.aggregator.totals.add_visit(self.sender.org, named, hour);
            self.recording.visit(event.at);
            // Not the event's own id: the event may be in the history, too.
            let visit = Uid::from_u128(Uid::from(event.id).as_u128() ^ 1);
            self.add_activity(event, visit, "visit", None, None);
        }
    }

    /// Adds an entry to the person's history; only for app users with consent.
    pub(super) fn add_activity(
        &mut self,
        event: &Event,
        uid: Uid,
        kind: &'static str,
        content: Option<ContentId>,
        playlist: Option<PlaylistId>,
    ) {
        let Some(since) = self.sender.consent_at(event.at) else { return };
        let Sender { org, person, .. } = *self.sender;
        let at = event.at;
        self.aggregator.activity.push(Activity { org, person, since, at, uid, kind, content, playlist });
    }
}
