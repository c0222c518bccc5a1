//! One view: its purse, its credit, what of the content it has seen, and whether it counts.

use kernel::{Millis, SECOND};

use super::spans::Spans;
use super::{GAP, PURSE_START, RATE_MAX, SECTIONS_MAX, VIEW_AGAIN, VIEW_CREDIT};

/// More gaps in the sequence of one view than this are not believed.
const SEQS_MAX: usize = 256;
/// A section may be this much longer than what was credited for it.
const SECTION_SLACK: Millis = 2 * SECOND;

/// What has become of a view, or why it does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It counts.
    Counted,
    /// Its credit has not reached the threshold.
    TooShort,
    /// The same person had a counted view of the same content within the hour.
    Duplicate,
    /// Staff of the organisation.
    Staff,
    /// A known bot.
    Bot,
    /// The content is a draft.
    Draft,
}

impl Verdict {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::TooShort => "too short",
            Self::Duplicate => "duplicate",
            Self::Staff => "staff",
            Self::Bot => "bot",
            Self::Draft => "draft",
        }
    }

    /// Reads a stored word; an unknown one stays out of every number.
    pub fn read(word: &str) -> Self {
        match word {
            "counted" => Self::Counted,
            "too short" => Self::TooShort,
            "duplicate" => Self::Duplicate,
            "staff" => Self::Staff,
            "draft" => Self::Draft,
            _ => Self::Bot,
        }
    }
}

/// What a player reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlayState {
    /// It plays, or the page is looked at.
    Playing,
    /// It was paused.
    Paused,
    /// Somebody jumped to another place.
    Seeking,
    /// It came to the end.
    Ended,
    /// The tab was hidden or closed.
    Hidden,
}

impl PlayState {
    /// As kept and on the wire.
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
    /// Counts the beats of the view.
    pub seq: u32,
    /// The section shown since the beat before, in media milliseconds; page numbers for documents.
    pub from: Millis,
    /// Where the section ends.
    pub to: Millis,
    /// How fast it played.
    pub rate: f64,
    /// What the player did.
    pub state: PlayState,
}

/// What a view looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Whether it plays; pictures and documents stay open instead.
    pub plays: bool,
    /// Length, once known.
    pub duration_ms: Option<Millis>,
}

impl Subject {
    /// The credit that makes a view.
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
    /// The time of its first beat.
    pub began_at: Millis,
    /// Beats taken.
    pub seqs: Spans,
    /// The wall time of its beats; silence leaves gaps.
    pub purse: Spans,
    /// Time watched.
    pub credit_ms: Millis,
    /// Media time seen.
    pub sections: Spans,
    /// Whether the last beat said that nothing is being looked at.
    pub resting: bool,
    /// Whether it counts.
    pub verdict: Verdict,
}

/// What one beat added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// Time watched.
    pub credit_ms: Millis,
    /// The section seen, in media milliseconds; empty for what does not play.
    pub section: Option<(Millis, Millis)>,
}

impl View {
    /// A view that begins with a beat at `at`.
    pub fn begin(at: Millis, verdict: Verdict) -> Self {
        Self {
            began_at: at,
            seqs: Spans::default(),
            purse: Spans::default(),
            credit_ms: 0,
            sections: Spans::default(),
            resting: false,
            verdict,
        }
    }

    /// Takes a beat booked at `at`; `None` when it was taken before.
    pub fn take(&mut self, subject: Subject, beat: &Beat, at: Millis) -> Option<Gain> {
        let seq = i64::from(beat.seq);
        if self.seqs.contains(seq) || self.seqs.len() > SEQS_MAX {
            return None;
        }
        self.seqs.add(seq, seq + 1, 0);
        let filled = self.purse.add(at, at, GAP);
        self.purse.squeeze(SECTIONS_MAX);
        let gain = if subject.plays { self.played(subject, beat) } else { self.open(filled) };
        self.credit_ms += gain.credit_ms;
        if let Some((from, to)) = gain.section {
            self.sections.add(from, to, 0);
            self.sections.squeeze(SECTIONS_MAX);
        }
        self.began_at = self.began_at.min(at);
        self.resting = matches!(beat.state, PlayState::Paused | PlayState::Ended | PlayState::Hidden);
        Some(gain)
    }

    /// Something that plays claims the length of its section at its rate, and gets what the purse holds.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "media times in f64")]
    fn played(&self, subject: Subject, beat: &Beat) -> Gain {
        let rate = beat.rate.clamp(0.1, RATE_MAX);
        let from = beat.from.max(0);
        let to = subject.duration_ms.map_or(beat.to, |length| beat.to.min(length + SECTION_SLACK));
        let claim = ((to - from).max(0) as f64 / rate) as Millis;
        let purse = PURSE_START + self.purse.total() - self.credit_ms;
        let credit_ms = claim.min(purse).max(0);
        let believed = from + (credit_ms as f64 * rate) as Millis + SECTION_SLACK;
        let end = to.min(believed).min(subject.duration_ms.unwrap_or(Millis::MAX));
        Gain { credit_ms, section: (credit_ms > 0 && end > from).then_some((from, end)) }
    }

    /// Something that stays open is watched for the time between beats while it is looked at.
    fn open(&self, filled: Millis) -> Gain {
        let purse = (self.purse.total() - self.credit_ms).max(0);
        Gain { credit_ms: if self.resting { 0 } else { filled.min(purse) }, section: None }
    }

    /// Decides whether the view counts, as soon as its credit suffices; true when it has just been counted.
    /// `last_counted` is when the last counted view of this person and content began.
    pub fn judge(&mut self, subject: Subject, last_counted: Option<Millis>) -> bool {
        if self.verdict != Verdict::TooShort || self.credit_ms < subject.threshold() {
            return false;
        }
        self.verdict =
            if counts_again(last_counted, self.began_at) { Verdict::Counted } else { Verdict::Duplicate };
        self.verdict == Verdict::Counted
    }
}

/// Whether a view that began at `began_at` is far enough from the last counted one.
pub fn counts_again(last_counted: Option<Millis>, began_at: Millis) -> bool {
    last_counted.is_none_or(|last| (began_at - last).abs() >= VIEW_AGAIN)
}

/// The share of a content that lies in `sections`; 0 while its length is not known.
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
