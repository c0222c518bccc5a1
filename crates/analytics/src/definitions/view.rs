//! One view: its watch budget, its credit, the sections watched, and whether it counts.

use kernel::{Millis, SECOND, Timestamp};
use sea_orm::{DeriveActiveEnum, EnumIter};

use super::spans::Spans;
use super::{GAP_MAX, RATE_MAX, SECTIONS_MAX, VIEW_AGAIN, VIEW_CREDIT, WATCH_BUDGET_START};

/// Maximum number of sequence ranges per view; further beats are ignored.
const SEQS_MAX: usize = 256;
/// Tolerance by which a section may be longer than its credit.
const SECTION_SLACK: Millis = 2 * SECOND;

/// Whether a view counts, or why it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Verdict {
    /// The view counts.
    #[sea_orm(string_value = "counted")]
    Counted,
    /// The credit has not reached the threshold.
    #[sea_orm(string_value = "too short")]
    TooShort,
    /// The same person had a counted view of the same content item within an hour.
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

/// Properties of a content item that decide how its views are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Whether it plays; images and documents stay open instead.
    pub plays: bool,
    /// Duration, once known.
    pub duration_ms: Option<Millis>,
}

impl Subject {
    /// Returns the credit at which a view counts.
    pub fn threshold(self) -> Millis {
        match self.duration_ms {
            Some(length) if self.plays && length < 2 * VIEW_CREDIT => (length / 2).max(1),
            _ => VIEW_CREDIT,
        }
    }
}

/// A view so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Time of the earliest beat.
    pub began_at: Timestamp,
    /// Sequence numbers of the accepted beats.
    pub seqs: Spans,
    /// Wall time covered by beats; the watch budget grows by it. Pauses leave gaps.
    pub watch_budget: Spans,
    /// Time watched.
    pub credit_ms: Millis,
    /// Sections watched, in media time.
    pub sections: Spans,
    /// Whether the last beat reported a pause, the end or a hidden tab.
    pub idle: bool,
    /// Whether the view counts, or why not.
    pub verdict: Verdict,
}

/// What one beat added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Credit {
    /// Time watched.
    pub credit_ms: Millis,
    /// Section watched, in media milliseconds; `None` for items that do not play.
    pub section: Option<(Millis, Millis)>,
}

impl View {
    /// Creates a view whose first beat is at `at`.
    pub fn begin(at: Timestamp, verdict: Verdict) -> Self {
        Self {
            began_at: at,
            seqs: Spans::default(),
            watch_budget: Spans::default(),
            credit_ms: 0,
            sections: Spans::default(),
            idle: false,
            verdict,
        }
    }

    /// Applies a beat at time `at`. Returns `None` if it was applied before or the sequence has
    /// too many gaps.
    pub fn apply(&mut self, subject: Subject, beat: &Beat, at: Timestamp) -> Option<Credit> {
        let seq = i64::from(beat.seq);
        if self.seqs.contains(seq) || self.seqs.len() > SEQS_MAX {
            return None;
        }
        self.seqs.add(seq, seq + 1, 0);
        let added = self.watch_budget.add(at.ms(), at.ms(), GAP_MAX);
        self.watch_budget.reduce_to(SECTIONS_MAX);
        let credit =
            if subject.plays { self.playback_credit(subject, beat) } else { self.open_credit(added) };
        self.credit_ms += credit.credit_ms;
        if let Some((from, to)) = credit.section {
            self.sections.add(from, to, 0);
            self.sections.reduce_to(SECTIONS_MAX);
        }
        self.began_at = self.began_at.min(at);
        self.idle = matches!(beat.state, PlayState::Paused | PlayState::Ended | PlayState::Hidden);
        Some(credit)
    }

    /// Credits an item that plays: the time its section takes at its rate, up to the remaining watch budget.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "media times in f64")]
    fn playback_credit(&self, subject: Subject, beat: &Beat) -> Credit {
        let rate = beat.rate.clamp(0.1, RATE_MAX);
        let from = beat.from.max(0);
        let to = subject.duration_ms.map_or(beat.to, |length| beat.to.min(length + SECTION_SLACK));
        let claim = ((to - from).max(0) as f64 / rate) as Millis;
        let remaining_ms = WATCH_BUDGET_START + self.watch_budget.total() - self.credit_ms;
        let credit_ms = claim.min(remaining_ms).max(0);
        let plausible_end = from + (credit_ms as f64 * rate) as Millis + SECTION_SLACK;
        let end = to.min(plausible_end).min(subject.duration_ms.unwrap_or(Millis::MAX));
        Credit { credit_ms, section: (credit_ms > 0 && end > from).then_some((from, end)) }
    }

    /// Credits an item that stays open: the time between beats while it is visible.
    fn open_credit(&self, added: Millis) -> Credit {
        let remaining_ms = (self.watch_budget.total() - self.credit_ms).max(0);
        Credit { credit_ms: if self.idle { 0 } else { added.min(remaining_ms) }, section: None }
    }

    /// Decides whether the view counts, once its credit reaches the threshold. Returns true if it starts to
    /// count now. `last_counted` is the start of the last counted view of this person and content item.
    pub fn judge(&mut self, subject: Subject, last_counted: Option<Timestamp>) -> bool {
        if self.verdict != Verdict::TooShort || self.credit_ms < subject.threshold() {
            return false;
        }
        self.verdict =
            if counts_again(last_counted, self.began_at) { Verdict::Counted } else { Verdict::Duplicate };
        self.verdict == Verdict::Counted
    }
}

/// Returns whether a view that began at `began_at` is far enough from the last counted one.
pub fn counts_again(last_counted: Option<Timestamp>, began_at: Timestamp) -> bool {
    last_counted.is_none_or(|last| (began_at - last).abs() >= VIEW_AGAIN)
}

/// Returns the share of a content item covered by `sections`; 0 while its duration is unknown.
#[expect(clippy::cast_precision_loss, reason = "a share needs no more than 52 bits")]
pub fn share(sections: &Spans, duration_ms: Option<Millis>) -> f64 {
    match duration_ms {
        Some(length) if length > 0 => (sections.total() as f64 / length as f64).clamp(0.0, 1.0),
        _ => 0.0,
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
