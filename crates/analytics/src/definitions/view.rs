//! One view: its watch budget, its credit, the sections watched, and whether it counts.

use kernel::{Millis, SECOND, Timestamp};
use sea_orm::{DeriveActiveEnum, EnumIter};

use super::beats::Beats;
use super::spans::Spans;
use super::{GAP_MAX, RATES, SECTIONS_MAX, VIEW_AGAIN, VIEW_CREDIT, WATCH_BUDGET_START, caps};

/// Maximum number of separate times per view during which it was watched; a beat that needs more is ignored.
const WATCHED_MAX: usize = 1_000;
/// Tolerance by which a section may be longer than its credit.
const SECTION_SLACK: Millis = 2 * SECOND;
/// How close to its end an item that plays is finished.
const END_SLACK: Millis = 2 * SECOND;
/// Share of an item that makes it finished.
const FINISHED_SHARE: f64 = 0.95;

/// Whether a view counts, or why it does not.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Verdict {
    /// The view counts.
    #[sea_orm(string_value = "counted")]
    Counted,
    /// The credit has not reached the threshold.
    #[sea_orm(string_value = "too short")]
    TooShort,
    /// A view of the same person and content item counted within an hour before or after it.
    #[sea_orm(string_value = "duplicate")]
    Duplicate,
    /// The viewer is staff of the organisation.
    #[sea_orm(string_value = "staff")]
    Staff,
    /// The viewer is a known bot.
    #[sea_orm(string_value = "bot")]
    Bot,
    /// The content item is a draft.
    #[sea_orm(string_value = "draft")]
    Draft,
    /// The watch time is over a limit. Only watch time has this reason, no view.
    #[sea_orm(string_value = "cap")]
    Cap,
}

/// State reported by a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlayState {
    /// Playing, or the page is visible.
    Playing,
    /// Paused.
    Paused,
    /// Seeking to another position.
    Seeking,
    /// Playback reached the end.
    Ended,
    /// The tab was hidden or closed.
    Hidden,
}

impl PlayState {
    /// Returns the form used in JSON and in storage.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Paused => "paused",
            Self::Seeking => "seeking",
            Self::Ended => "ended",
            Self::Hidden => "hidden",
        }
    }
}

/// A beat of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beat {
    /// Sequence number of the beat within its view.
    pub seq: u32,
    /// Start of the section played since the previous beat, in media milliseconds; a page number for
    /// documents.
    pub from: Millis,
    /// End of the section.
    pub to: Millis,
    /// Playback rate.
    pub rate: f64,
    /// State of the player.
    pub state: PlayState,
}

/// How an item is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It plays: video and audio. Its length is in milliseconds.
    Plays,
    /// It is read page by page. Its length is the number of pages.
    Pages,
    /// It is seen as a whole: images and other files.
    Whole,
}

/// Properties of a content item that decide how its views are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// How it is watched.
    pub form: Form,
    /// Milliseconds or pages, once known.
    pub length: Option<i64>,
}

impl Subject {
    /// Returns the properties of an item that is watched in this form, with the length that counts for it.
    pub fn of(form: Form, duration_ms: Option<Millis>, pages: Option<i64>) -> Self {
        let length = match form {
            Form::Plays => duration_ms,
            Form::Pages => pages,
            Form::Whole => None,
        };
        Self { form, length }
    }

    /// Returns the credit at which a view counts.
    pub fn threshold(self) -> Millis {
        match self.duration() {
            Some(length) if length < 2 * VIEW_CREDIT => (length / 2).max(1),
            _ => VIEW_CREDIT,
        }
    }

    /// Returns the length of an item that plays.
    fn duration(self) -> Option<Millis> {
        self.length.filter(|_| self.form == Form::Plays)
    }
}

/// A view so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Time of the earliest beat that had arrived when the view was counted, or has arrived.
    pub began_at: Timestamp,
    /// The beats that have arrived.
    pub beats: Beats,
    /// Times between neighbouring beats during which it was watched; the watch budget is their sum.
    pub watched: Spans,
    /// Sum of what the beats of an item that plays claim.
    pub claims_ms: Millis,
    /// Time watched.
    pub credit_ms: Millis,
    /// Time over the limit of the view.
    pub over_ms: Millis,
    /// The part of the credit that the limits of the viewer refused.
    pub refused_ms: Millis,
    /// Sections watched, in media time or pages.
    pub sections: Spans,
    /// Whether the end was reached, or nearly everything seen.
    pub is_finished: bool,
    /// Whether the view counts, or why not.
    pub verdict: Verdict,
}

/// What one beat added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Credit {
    /// Time watched.
    pub credit_ms: Millis,
    /// Time over the limit of the view.
    pub over_ms: Millis,
    /// Section watched, in media milliseconds or pages; `None` for items that are seen as a whole.
    pub section: Option<(i64, i64)>,
}

impl View {
    /// Creates a view whose first beat is at `at`.
    pub fn begin(at: Timestamp, verdict: Verdict) -> Self {
        Self {
            began_at: at,
            beats: Beats::default(),
            watched: Spans::default(),
            claims_ms: 0,
            credit_ms: 0,
            over_ms: 0,
            refused_ms: 0,
            sections: Spans::default(),
            is_finished: false,
            verdict,
        }
    }

    /// Creates the counted view of someone who downloaded an item that does not play. Which pages they read is not known.
    pub fn of_download(at: Timestamp, subject: Subject) -> Self {
        Self { is_finished: subject.form == Form::Whole, ..Self::begin(at, Verdict::Counted) }
    }

    /// Applies a beat at time `at`. Returns `None` if it was applied before or the view cannot remember more.
    ///
    /// The credit is always that of all beats together, so that it does not depend on their order of arrival; what one
    /// beat adds does.
    pub fn apply(&mut self, subject: Subject, beat: &Beat, at: Timestamp) -> Option<Credit> {
        if self.watched.len() >= WATCHED_MAX {
            return None;
        }
        let gaps = self.beats.add(i64::from(beat.seq), at, beat.state.is_active(subject.form))?;
        for (from, to) in gaps.into_iter().flatten() {
            if to > from && to - from <= GAP_MAX {
                self.watched.add(from, to, 0);
            }
        }
        let watched = self.watched.total();
        let claimed = if subject.form == Form::Plays {
            self.claims_ms = self.claims_ms.saturating_add(beat.claim(subject));
            self.claims_ms.min(WATCH_BUDGET_START + watched)
        } else {
            watched
        };
        let allowed = claimed.min(subject.duration().map_or(Millis::MAX, caps::of_view));
        // The length may have become known after more was credited than it allows.
        let credit_ms = (allowed - self.credit_ms).max(0);
        let over_ms = (claimed - allowed - self.over_ms).max(0);
        self.credit_ms += credit_ms;
        self.over_ms += over_ms;
        let section = beat.section(subject, credit_ms);
        if let Some((from, to)) = section {
            self.sections.add(from, to, 0);
            self.sections.reduce_to(SECTIONS_MAX);
        }
        // Others were judged by the start of a view that counts.
        if self.verdict != Verdict::Counted {
            self.began_at = self.began_at.min(at);
        }
        self.is_finished = self.is_finished || is_finished(&self.sections, subject);
        Some(Credit { credit_ms, over_ms, section })
    }

    /// Returns whether the view has enough credit for a verdict, and has none yet.
    pub fn is_to_be_judged(&self, subject: Subject) -> bool {
        self.verdict == Verdict::TooShort && self.credit_ms - self.refused_ms >= subject.threshold()
    }

    /// Decides whether the view counts, once its credit reaches the threshold. Returns the new verdict if it is decided
    /// now. `counted` are the starts of the counted views of this person and content item.
    pub fn judge(&mut self, subject: Subject, counted: &[Timestamp]) -> Option<Verdict> {
        if !self.is_to_be_judged(subject) {
            return None;
        }
        self.verdict =
            if counts_again(counted, self.began_at) { Verdict::Counted } else { Verdict::Duplicate };
        self.is_finished |= subject.form == Form::Whole;
        Some(self.verdict)
    }
}

impl PlayState {
    /// Returns whether an item is still being watched after a beat with this state. What plays may be heard while its
    /// tab is hidden.
    fn is_active(self, form: Form) -> bool {
        match self {
            Self::Playing | Self::Seeking => true,
            Self::Hidden => form == Form::Plays,
            Self::Paused | Self::Ended => false,
        }
    }
}

impl Beat {
    /// Returns the end of the section, at most that of the item.
    fn end(&self, subject: Subject) -> Millis {
        subject.duration().map_or(self.to, |length| self.to.min(length))
    }

    /// Returns the time that the section takes at its rate.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "media times in f64")]
    fn claim(&self, subject: Subject) -> Millis {
        if self.rate <= 0.0 {
            return 0;
        }
        let rate = self.rate.clamp(*RATES.start(), *RATES.end());
        ((self.end(subject) - self.from).max(0) as f64 / rate) as Millis
    }

    /// Returns the section that was watched for this credit.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "media times in f64")]
    fn section(&self, subject: Subject, credit_ms: Millis) -> Option<(i64, i64)> {
        if credit_ms <= 0 {
            return None;
        }
        match subject.form {
            Form::Whole => None,
            Form::Pages => (1..=subject.length.unwrap_or(i64::MAX))
                .contains(&self.from)
                .then_some((self.from, self.from + 1)),
            Form::Plays => {
                let rate = self.rate.clamp(*RATES.start(), *RATES.end());
                let plausible = self.from + (credit_ms as f64 * rate) as Millis + SECTION_SLACK;
                let end = self.end(subject).min(plausible);
                (end > self.from).then_some((self.from, end))
            }
        }
    }
}

/// Returns whether a view that began at `began_at` is at least an hour from all counted ones.
pub fn counts_again(counted: &[Timestamp], began_at: Timestamp) -> bool {
    counted.iter().all(|other| (began_at - *other).abs() >= VIEW_AGAIN)
}

/// Returns the share of a content item covered by `sections`; 0 while its length is unknown.
#[expect(clippy::cast_precision_loss, reason = "a share needs no more than 52 bits")]
pub fn share(sections: &Spans, length: Option<i64>) -> f64 {
    match length {
        Some(length) if length > 0 => (sections.total() as f64 / length as f64).clamp(0.0, 1.0),
        _ => 0.0,
    }
}

/// Returns whether the end was reached, or nearly everything seen.
fn is_finished(sections: &Spans, subject: Subject) -> bool {
    let Some(length) = subject.length.filter(|length| *length > 0) else { return false };
    let end = match subject.form {
        Form::Plays => sections.end() >= length - END_SLACK,
        Form::Pages => sections.contains(length),
        Form::Whole => false,
    };
    end || share(sections, Some(length)) >= FINISHED_SHARE
}

/// Parts into which a retention curve divides an item.
pub const PARTS: usize = 100;

/// Returns which parts of an item `sections` touch, the first as the lowest bit. Part n is from n to n + 1 hundredths of the
/// item, with the pages or milliseconds in which it begins and ends. Pages count from 1.
pub fn parts(sections: &Spans, subject: Subject) -> u128 {
    let Some(length) = subject.length.filter(|length| *length > 0) else { return 0 };
    let (first, count) = (i64::from(subject.form == Form::Pages), PARTS as i64);
    let mut parts = 0;
    for (from, to) in sections.as_slice() {
        let begin = (from - first).max(0).saturating_mul(count) / length;
        let end = (to - first).clamp(0, length).saturating_mul(count).saturating_add(length - 1) / length;
        if begin < end {
            let ones = u128::MAX >> (128 - (end - begin));
            parts |= ones << begin;
        }
    }
    parts
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
