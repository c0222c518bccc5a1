//! `POST /events`: events reported by the viewer app.

use axum::Json;
use axum::extract::State;
use http::{HeaderMap, StatusCode, header};
use httpkit::{ApiResult, RawBody, is_about_data};
use identity::Bearer;
use kernel::{ContentId, EventId, Millis, OrgId, PlaylistId, Problem, Timestamp, Uuid, ViewId};
use serde::{Deserialize, Deserializer, Serialize};

use crate::definitions::view::{Beat, PlayState};
use crate::definitions::{bots, effective_time};
use crate::intake::Request;
use crate::model::{self, EVENTS_MAX, Event, EventData, Outcome, RejectReason};
use crate::{Analytics, Error};

/// Events of one person in one organization.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventsIn {
    org_id: Uuid,
    /// At most 100 events.
    events: Vec<EventIn>,
}

impl EventsIn {
    /// Returns the number of events in the request.
    pub fn count(&self) -> usize {
        self.events.len()
    }
}

/// Kind of event.
#[derive(Debug, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// A report of a player.
    Beat,
    /// The person opened the app.
    Visit,
    /// The person downloaded a file.
    Download,
    /// The person tapped a playlist's contact.
    Contact,
}

/// An event. A beat requires `viewId`, `seq`, `contentId`, `from`, `to` and `state`; a download requires
/// `contentId`; a contact requires `playlistId`.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventIn {
    kind: EventKind,
    /// Id chosen by the client. Visits, downloads and contacts with the same id count once.
    #[schema(value_type = Uuid)]
    id: EventId,
    /// When it happened by the client's clock, ISO 8601.
    #[serde(deserialize_with = "time")]
    #[schema(value_type = String)]
    time: Timestamp,
    #[schema(value_type = Option<Uuid>)]
    content_id: Option<ContentId>,
    #[schema(value_type = Option<Uuid>)]
    playlist_id: Option<PlaylistId>,
    #[schema(value_type = Option<Uuid>)]
    view_id: Option<ViewId>,
    /// Sequence number of the beat within its view, starting at 0. Repeated beats count once.
    seq: Option<u32>,
    /// Start of the section played: media milliseconds, or a page number of a document.
    from: Option<f64>,
    /// End of the section.
    to: Option<f64>,
    /// Playback rate; default 1.
    rate: Option<f64>,
    state: Option<PlayState>,
}

/// A rejected event.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RejectedOut {
    id: Uuid,
    reason: RejectReason,
}

/// Result of an events request.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EventsOut {
    /// Number of accepted events, including repeats of earlier ones.
    accepted: usize,
    rejected: Vec<RejectedOut>,
}

/// Report events
///
/// The response is sent once the events are durable. Repeated events count once.
#[utoipa::path(post, path = "/events", tag = "analytics", request_body = EventsIn, responses(
    (status = 202, body = EventsOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem), (status = 413, body = Problem), (status = 503, body = Problem),
))]
pub async fn post_events(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    headers: HeaderMap,
    RawBody(body): RawBody,
) -> ApiResult<(StatusCode, Json<EventsOut>)> {
    let now = analytics.deps.ambient.now();
    let ParsedEvents { org, events, rejected } = parse_body(&body, now)?;
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let request = Request {
        bearer,
        org,
        bot: bots::is_known(agent),
        received_at: now,
        stored: model::stored_form(&events, now),
        events,
        rejected,
    };
    let outcome = analytics.intake.submit(request).await?;
    Ok((StatusCode::ACCEPTED, Json(out(outcome))))
}

/// The content of a valid request.
#[derive(Debug)]
pub struct ParsedEvents {
    /// The organisation whose items were watched.
    pub org: OrgId,
    /// The valid events, ordered by time.
    pub events: Vec<Event>,
    /// Ids of the others, with the reason.
    pub rejected: Vec<(EventId, RejectReason)>,
}

/// Parses a request's body, received at `now`.
pub fn parse_body(body: &[u8], now: Timestamp) -> Result<ParsedEvents, Error> {
    let sent: EventsIn = serde_json::from_slice(body).map_err(|error| body_problem(&error, body))?;
    if sent.events.len() > EVENTS_MAX {
        return Err(Error::TooManyEvents);
    }
    let (events, rejected) = parse_events(sent.events, now);
    Ok(ParsedEvents { org: sent.org_id.into(), events, rejected })
}

fn out(outcome: Outcome) -> EventsOut {
    let rejected = outcome.rejected.into_iter().map(|(id, reason)| RejectedOut { id: id.into(), reason });
    EventsOut { accepted: outcome.accepted, rejected: rejected.collect() }
}

fn body_problem(error: &serde_json::Error, body: &[u8]) -> Problem {
    if is_about_data(error, body) {
        Problem::bad_request("invalid_body", error.to_string())
    } else {
        Problem::bad_request("invalid_json", "The body is not valid JSON.")
    }
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    struct Time;
    impl serde::de::Visitor<'_> for Time {
        type Value = Timestamp;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an ISO 8601 time")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Timestamp, E> {
            kernel::from_iso(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
        }
    }
    deserializer.deserialize_str(Time)
}

/// Splits the events into valid ones, ordered by time, and rejected ones.
fn parse_events(sent: Vec<EventIn>, now: Timestamp) -> (Vec<Event>, Vec<(EventId, RejectReason)>) {
    let mut events = Vec::with_capacity(sent.len());
    let mut rejected = Vec::new();
    for event in sent {
        let id = event.id;
        match (effective_time(event.time, now), event.data()) {
            (None, _) => rejected.push((id, RejectReason::Clock)),
            (_, None) => rejected.push((id, RejectReason::Invalid)),
            (Some(at), Some(data)) => events.push(Event { id, at, data }),
        }
    }
    events.sort_by_key(|event| event.at);
    (events, rejected)
}

impl EventIn {
    fn data(self) -> Option<EventData> {
        match self.kind {
            EventKind::Visit => Some(EventData::Visit),
            EventKind::Download => {
                Some(EventData::Download { content: self.content_id?, playlist: self.playlist_id })
            }
            EventKind::Contact => Some(EventData::Contact { playlist: self.playlist_id? }),
            EventKind::Beat => Some(EventData::Beat {
                view: self.view_id?,
                content: self.content_id?,
                playlist: self.playlist_id,
                beat: Beat {
                    seq: self.seq?,
                    from: position(self.from?)?,
                    to: position(self.to?)?,
                    rate: self.rate.unwrap_or(1.0),
                    state: self.state?,
                },
            }),
        }
    }
}

/// Rounds a position in a content item; returns `None` if it is negative or longer than about a century.
#[expect(clippy::cast_possible_truncation, reason = "within the bounds checked here")]
fn position(value: f64) -> Option<Millis> {
    (0.0..3e12).contains(&value).then_some(value.round() as Millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<EventsIn, serde_json::Error> {
        serde_json::from_str(text)
    }

    const ID: &str = "018f0000-0000-7000-8000-000000000001";

    fn one(fields: &str, now: Timestamp) -> (Vec<Event>, Vec<(EventId, RejectReason)>) {
        let text = format!(r#"{{"orgId":"{ID}","events":[{{"id":"{ID}",{fields}}}]}}"#);
        parse_events(parse(&text).unwrap().events, now)
    }

    #[test]
    fn each_kind_needs_its_fields() {
        let now = kernel::from_iso("2026-11-20T08:00:00Z").unwrap();
        let time = r#""time":"2026-11-20T08:00:00Z""#;
        let good = [
            format!(r#""kind":"visit",{time}"#),
            format!(r#""kind":"download","contentId":"{ID}",{time}"#),
            format!(r#""kind":"contact","playlistId":"{ID}",{time}"#),
            format!(
                r#""kind":"beat","viewId":"{ID}","contentId":"{ID}","seq":0,"from":0,"to":0.4,"state":"playing",{time}"#
            ),
        ];
        for fields in good {
            assert_eq!(one(&fields, now).0.len(), 1, "{fields}");
        }
        let bad = [
            format!(r#""kind":"download",{time}"#),
            format!(r#""kind":"contact","contentId":"{ID}",{time}"#),
            format!(
                r#""kind":"beat","viewId":"{ID}","contentId":"{ID}","seq":0,"from":-1,"to":0,"state":"playing",{time}"#
            ),
        ];
        for fields in bad {
            assert_eq!(one(&fields, now).1[0].1, RejectReason::Invalid, "{fields}");
        }
        assert_eq!(one(r#""kind":"visit","time":"2026-11-20T09:00:00Z""#, now).1[0].1, RejectReason::Clock);
        assert!(parse(r#"{"orgId":"x","events":[]}"#).is_err());
    }

    #[test]
    fn events_are_applied_in_the_order_of_their_times() {
        let text = format!(
            r#"{{"orgId":"{ID}","events":[
                {{"id":"{ID}","kind":"visit","time":"2026-11-20T07:59:00Z"}},
                {{"id":"{ID}","kind":"visit","time":"2026-11-20T07:58:00Z"}}]}}"#
        );
        let now = kernel::from_iso("2026-11-20T08:00:00Z").unwrap();
        let (events, _) = parse_events(parse(&text).unwrap().events, now);
        assert!(events[0].at < events[1].at);
    }
}
