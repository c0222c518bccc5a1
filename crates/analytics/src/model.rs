//! Events after parsing, and the JSON in which they are stored. No async, no SQL, no HTTP.

use kernel::{ContentId, EventId, Millis, PlaylistId, Timestamp, ViewId};

use crate::definitions::view::Beat;

/// Maximum number of events per request.
pub const EVENTS_MAX: usize = 100;

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
    Beat { view: ViewId, content: ContentId, playlist: Option<PlaylistId>, beat: Beat },
    /// The person opened the app.
    Visit,
    /// The person downloaded a file.
    Download { content: ContentId, playlist: Option<PlaylistId> },
    /// The person tapped a playlist's contact.
    Contact { playlist: PlaylistId },
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
    /// The view belongs to another person or another content item.
    ForeignView,
}

/// Result of processing one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of accepted events, including repeats of earlier ones.
    pub accepted: usize,
    /// Ids of rejected events, with the reason.
    pub rejected: Vec<(EventId, RejectReason)>,
}

/// Stored form of a request's events, compact because there are many. A beat of a view is
/// `[seq, from, to, rate, state, ms before it was received]`; any other event is
/// `[kind, id, content, playlist, ms before it was received]`.
#[derive(Default, serde::Serialize)]
struct StoredEvents {
    views: Vec<StoredView>,
    interactions: Vec<StoredInteraction>,
}

type StoredInteraction = (&'static str, EventId, Option<ContentId>, Option<PlaylistId>, Millis);

#[derive(serde::Serialize)]
struct StoredView {
    view: ViewId,
    content: ContentId,
    playlist: Option<PlaylistId>,
    beats: Vec<(u32, Millis, Millis, f64, &'static str, Millis)>,
}

/// Serializes the events of a request for storage.
pub fn stored_form(events: &[Event], received_at: Timestamp) -> String {
    let mut stored = StoredEvents::default();
    for event in events {
        let ago = received_at - event.at;
        match &event.data {
            EventData::Beat { view, content, playlist, beat } => {
                let same = |known: &&mut StoredView| {
                    known.view == *view && known.content == *content && known.playlist == *playlist
                };
                let beat = (beat.seq, beat.from, beat.to, beat.rate, beat.state.as_str(), ago);
                match stored.views.iter_mut().rev().find(same) {
                    Some(known) => known.beats.push(beat),
                    None => stored.views.push(StoredView {
                        view: *view,
                        content: *content,
                        playlist: *playlist,
                        beats: vec![beat],
                    }),
                }
            }
            EventData::Visit => stored.interactions.push(("visit", event.id, None, None, ago)),
            EventData::Download { content, playlist } => {
                stored.interactions.push(("download", event.id, Some(*content), *playlist, ago));
            }
            EventData::Contact { playlist } => {
                stored.interactions.push(("contact", event.id, None, Some(*playlist), ago));
            }
        }
    }
    // Serializing numbers, strings and ids cannot fail.
    serde_json::to_string(&stored).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the instant this many milliseconds after the epoch.
    const fn at_ms(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }
    use crate::definitions::view::PlayState;

    #[test]
    fn beats_are_stored_by_view_with_everything_the_definitions_need() {
        let id = EventId::from_u128;
        let (view, content, playlist) =
            (ViewId::from_u128(1), ContentId::from_u128(2), PlaylistId::from_u128(3));
        let beat = |seq, from, to, state| Beat { seq, from, to, rate: 1.5, state };
        let data = |beat| EventData::Beat { view, content, playlist: None, beat };
        let events = [
            Event { id: id(7), at: at_ms(90), data: data(beat(0, 0, 0, PlayState::Playing)) },
            Event { id: id(8), at: at_ms(95), data: EventData::Contact { playlist } },
            Event { id: id(9), at: at_ms(100), data: data(beat(1, 0, 10, PlayState::Paused)) },
        ];
        assert_eq!(
            stored_form(&events, at_ms(100)),
            format!(
                "{{\"views\":[{{\"view\":\"{view}\",\"content\":\"{content}\",\"playlist\":null,\
                 \"beats\":[[0,0,0,1.5,\"playing\",10],[1,0,10,1.5,\"paused\",0]]}}],\
                 \"interactions\":[[\"contact\",\"{}\",null,\"{playlist}\",5]]}}",
                id(8),
            )
        );
    }
}
