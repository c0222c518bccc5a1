//! Events after parsing. No async, no SQL, no HTTP.

use content::PAGES;
use kernel::{ContentId, EventId, Millis, PlaylistId, SECOND, Timestamp, ViewId};

use crate::definitions::view::{Beat, Subject};

/// Maximum number of events per request.
pub const EVENTS_MAX: usize = 100;
/// Shortest and longest plausible length of an item that plays: a second and a day and a half.
const DURATIONS: std::ops::RangeInclusive<Millis> = SECOND..=36 * 3_600 * SECOND;

/// A parsed event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Id chosen by the client.
    pub id: EventId,
    /// Time it is counted at.
    pub at: Timestamp,
    /// What happened.
    pub data: EventData,
}

/// What happened, with the fields of that kind of event.
#[expect(missing_docs, reason = "the fields are ids of what their names say")]
#[derive(Clone, Debug, PartialEq)]
pub enum EventData {
    /// A player played a section.
    Beat {
        view: ViewId,
        content: ContentId,
        playlist: Option<PlaylistId>,
        beat: Beat,
        /// The length that the player knows.
        length: ReportedLength,
    },
    /// The person opened the app.
    Visit,
    /// The person downloaded a file.
    Download { content: ContentId, playlist: Option<PlaylistId> },
    /// The person tapped a playlist's contact.
    Contact { playlist: PlaylistId },
}

/// Returns the runs of events, in order: beats of the same view, content item and playlist, or a single other event.
pub fn runs(events: &[Event]) -> impl Iterator<Item = &[Event]> {
    let target = |event: &Event| match &event.data {
        EventData::Beat { view, content, playlist, .. } => Some((*view, *content, *playlist)),
        _ => None,
    };
    events.chunk_by(move |one, next| target(one).is_some_and(|same| target(next) == Some(same)))
}

/// Length of an item as a player knows it. Implausible values are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportedLength {
    /// Duration of an item that plays.
    pub duration_ms: Option<Millis>,
    /// Number of pages of a document.
    pub pages: Option<i64>,
}

impl ReportedLength {
    /// Returns the subject with the length that a player reported, unless its length is known or there is none.
    pub fn complete(self, subject: Subject) -> Subject {
        let reported = Subject::of(subject.form, self.duration_ms, self.pages);
        Subject { length: subject.length.or(reported.length), ..subject }
    }

    /// Keeps what is plausible.
    pub fn of(duration_ms: Option<Millis>, pages: Option<i64>) -> Self {
        Self {
            duration_ms: duration_ms.filter(|duration| DURATIONS.contains(duration)),
            pages: pages.filter(|pages| PAGES.contains(pages)),
        }
    }

    /// Returns whether nothing is known.
    pub fn is_unknown(self) -> bool {
        self.duration_ms.is_none() && self.pages.is_none()
    }

    /// Returns what is known first: this, or else the other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { duration_ms: self.duration_ms.or(other.duration_ms), pages: self.pages.or(other.pages) }
    }
}

/// Why an event was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EventRejection)]
pub enum RejectReason {
    /// The time is in the future or more than three days in the past.
    Clock,
    /// The content item or playlist does not exist or is not visible to the caller.
    NotFound,
    /// A field that this kind of event requires is missing or invalid.
    Invalid,
    /// The kind of event is unknown to this server.
    Unknown,
    /// The view belongs to another person or another content item.
    ForeignView,
}

/// A rejected event, with its id if that can be read.
pub type Rejected = (Option<EventId>, RejectReason);

/// Result of processing one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of accepted events, including repeats of earlier ones.
    pub accepted: usize,
    /// Rejected events, with the reason.
    pub rejected: Vec<Rejected>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implausible_lengths_are_left_out_and_the_first_one_is_kept() {
        assert!(ReportedLength::of(Some(999), Some(0)).is_unknown());
        assert!(ReportedLength::of(Some(400 * 3_600_000), Some(30_000)).is_unknown());
        let first = ReportedLength::of(Some(60_000), None);
        let second = ReportedLength::of(Some(90_000), Some(12));
        assert_eq!(first.or(second), ReportedLength { duration_ms: Some(60_000), pages: Some(12) });
    }
}
