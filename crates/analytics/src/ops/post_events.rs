//! `POST /events`: events reported by the viewer app.

use axum::Json;
use axum::extract::State;
use http::{HeaderMap, StatusCode, header};
use httpkit::{ApiResult, ClientAddress, RawBody, is_about_data};
use identity::Bearer;
use kernel::{ContentId, EventId, Millis, OrgId, PlaylistId, Problem, Timestamp, Uuid, ViewId};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::definitions::devices::device_of;
use crate::definitions::view::{Beat, PlayState};
use crate::definitions::{bots, corrected_time, effective_time};
use crate::intake::{Client, Request};
use crate::model::{EVENTS_MAX, Event, EventData, Outcome, RejectReason, Rejected, ReportedLength};
use crate::{Analytics, Error};

/// Maximum length of the reported version of an app, in bytes.
const APP_VERSION_MAX: usize = 40;

/// Events of one person in one organization.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventsIn {
    org_id: Uuid,
    /// When the request was sent by the client's clock, ISO 8601. A clock that is off is corrected by it.
    #[serde(default, deserialize_with = "optional_time")]
    #[schema(value_type = Option<String>)]
    sent_at: Option<Timestamp>,
    /// Version of the app.
    app_version: Option<String>,
    /// At most 100 events. Each is judged on its own: one that cannot be read is rejected, and the others count.
    events: Vec<EventIn>,
}

impl EventsIn {
    /// Returns the number of events in the request.
    pub fn count(&self) -> usize {
        self.events.len()
    }
}

/// The same with events that have not been read yet, for a request with one that cannot be read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestIn<'a> {
    org_id: Uuid,
    #[serde(default, deserialize_with = "optional_time")]
    sent_at: Option<Timestamp>,
    app_version: Option<String>,
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
}

/// What can be read of an event that is malformed.
#[derive(Default, Deserialize)]
#[serde(default)]
struct EventHead {
    id: serde_json::Value,
    kind: serde_json::Value,
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
    /// Length in milliseconds of an item that plays, as the player knows it.
    duration: Option<f64>,
    /// Number of pages of a document, as the reader knows it.
    pages: Option<i64>,
}

/// A rejected event.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RejectedOut {
    /// Null if the event has no readable id.
    id: Option<Uuid>,
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
    ClientAddress(address): ClientAddress,
    RawBody(body): RawBody,
) -> ApiResult<(StatusCode, Json<EventsOut>)> {
    let now = analytics.deps.ambient.now();
    let ParsedEvents { org, app, events, rejected } = parse_body(&body, now)?;
    let client = client(&headers, analytics.deps.countries.of(&headers, address), app);
    let request = Request { bearer, org, client, received_at: now, events, rejected };
    let outcome = analytics.intake.submit(request).await?;
    Ok((StatusCode::ACCEPTED, Json(out(outcome))))
}

/// Returns where a request comes from.
fn client(headers: &HeaderMap, country: Option<String>, app: Option<String>) -> Client {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    Client { bot: bots::is_known(agent), device: device_of(agent), country, app }
}

/// The content of a valid request.
#[derive(Debug)]
pub struct ParsedEvents {
    /// The organisation whose items were watched.
    pub org: OrgId,
    /// Version of the app.
    pub app: Option<String>,
    /// The valid events, ordered by time.
    pub events: Vec<Event>,
    /// The others, with the reason.
    pub rejected: Vec<Rejected>,
}

/// Parses a request's body, received at `now`.
pub fn parse_body(body: &[u8], now: Timestamp) -> Result<ParsedEvents, Error> {
    let (org, sent_at, app, read) = match serde_json::from_slice::<EventsIn>(body) {
        Ok(sent) => {
            let read: Vec<_> = sent.events.into_iter().map(Ok).collect();
            (sent.org_id, sent.sent_at, sent.app_version, read)
        }
        Err(_) => read_one_by_one(body)?,
    };
    if read.len() > EVENTS_MAX {
        return Err(Error::TooManyEvents);
    }
    let app = app.filter(|version| version.len() <= APP_VERSION_MAX);
    let mut events = Vec::with_capacity(read.len());
    let mut rejected = Vec::new();
    for event in read {
        match event.and_then(|event| accepted(event, sent_at, now)) {
            Ok(event) => events.push(event),
            Err(reject) => rejected.push(reject),
        }
    }
    events.sort_by_key(|event| event.at);
    Ok(ParsedEvents { org: org.into(), app, events, rejected })
}

/// Organisation, time of sending and version of the app, and each event or why it cannot be read.
type ReadRequest = (Uuid, Option<Timestamp>, Option<String>, Vec<Result<EventIn, Rejected>>);

/// Reads a request of which some events cannot be read.
fn read_one_by_one(body: &[u8]) -> Result<ReadRequest, Error> {
    let sent: RequestIn<'_> = serde_json::from_slice(body).map_err(|error| body_problem(&error, body))?;
    let read = |raw: &RawValue| serde_json::from_str(raw.get()).map_err(|_| unreadable(raw.get()));
    // Not worth reading if there are too many.
    let events = sent.events.into_iter().take(EVENTS_MAX + 1).map(read).collect();
    Ok((sent.org_id, sent.sent_at, sent.app_version, events))
}

fn accepted(event: EventIn, sent_at: Option<Timestamp>, now: Timestamp) -> Result<Event, Rejected> {
    let id = event.id;
    let reject = |reason| (Some(id), reason);
    let at =
        effective_time(corrected_time(event.time, sent_at, now), now).ok_or(reject(RejectReason::Clock))?;
    let data = event.data().ok_or(reject(RejectReason::Invalid))?;
    Ok(Event { id, at, data })
}

/// Returns why an event cannot be read, with its id if that can be.
fn unreadable(text: &str) -> Rejected {
    let head: EventHead = serde_json::from_str(text).unwrap_or_default();
    let id = head.id.as_str().and_then(|id| id.parse().ok());
    let is_unknown = head.kind.is_string() && EventKind::deserialize(&head.kind).is_err();
    (id, if is_unknown { RejectReason::Unknown } else { RejectReason::Invalid })
}

fn out(outcome: Outcome) -> EventsOut {
    let rejected = outcome.rejected.into_iter();
    let rejected = rejected.map(|(id, reason)| RejectedOut { id: id.map(Into::into), reason });
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

fn optional_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    // A time that cannot be read corrects nothing.
    let text = serde_json::Value::deserialize(deserializer)?;
    Ok(text.as_str().and_then(kernel::from_iso))
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
                length: ReportedLength::of(self.duration.and_then(position), self.pages),
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

    const ID: &str = "018f0000-0000-7000-8000-000000000001";

    fn now() -> Timestamp {
        kernel::from_iso("2026-11-20T08:00:00Z").unwrap()
    }

    /// Parses a request with these events.
    fn parse(events: &str) -> ParsedEvents {
        parse_body(format!(r#"{{"orgId":"{ID}","events":[{events}]}}"#).as_bytes(), now()).unwrap()
    }

    fn one(fields: &str) -> ParsedEvents {
        parse(&format!(r#"{{"id":"{ID}",{fields}}}"#))
    }

    #[test]
    fn each_kind_needs_its_fields() {
        let time = r#""time":"2026-11-20T08:00:00Z""#;
        let beat = format!(
            r#""kind":"beat","viewId":"{ID}","contentId":"{ID}","seq":0,"to":0.4,"state":"playing",{time}"#
        );
        let good = [
            format!(r#""kind":"visit",{time}"#),
            format!(r#""kind":"download","contentId":"{ID}",{time}"#),
            format!(r#""kind":"contact","playlistId":"{ID}",{time}"#),
            format!(r#"{beat},"from":0"#),
        ];
        for fields in good {
            assert_eq!(one(&fields).events.len(), 1, "{fields}");
        }
        let bad = [
            format!(r#""kind":"download",{time}"#),
            format!(r#""kind":"contact","contentId":"{ID}",{time}"#),
            format!(r#"{beat},"from":-1"#),
            format!(r#"{beat},"from":"0""#),
            r#""kind":"visit","time":"yesterday""#.to_owned(),
        ];
        for fields in bad {
            assert_eq!(one(&fields).rejected[0].1, RejectReason::Invalid, "{fields}");
        }
        let late = one(r#""kind":"visit","time":"2026-11-20T09:00:00Z""#);
        assert_eq!(late.rejected[0].1, RejectReason::Clock);
        assert!(parse_body(br#"{"orgId":"x","events":[]}"#, now()).is_err());
    }

    #[test]
    fn a_bad_event_does_not_take_others_along() {
        let good = format!(r#"{{"id":"{ID}","kind":"visit","time":"2026-11-20T08:00:00Z"}}"#);
        let strange = good.replace("visit", "reaction");
        let parsed = parse(&format!(r#"{good},{strange},null,{{"kind":"visit"}},7"#));
        assert_eq!(parsed.events.len(), 1);
        let id: EventId = ID.parse().unwrap();
        let invalid = (None, RejectReason::Invalid);
        assert_eq!(parsed.rejected, [(Some(id), RejectReason::Unknown), invalid, invalid, invalid]);
    }

    #[test]
    fn events_are_applied_in_the_order_of_their_times() {
        let event = |time: &str| format!(r#"{{"id":"{ID}","kind":"visit","time":"2026-11-20T{time}Z"}}"#);
        let events = parse(&format!("{},{}", event("07:59:00"), event("07:58:00"))).events;
        assert!(events[0].at < events[1].at);
    }

    #[test]
    fn a_clock_that_is_off_is_corrected_by_the_time_of_sending() {
        let event = format!(r#"{{"id":"{ID}","kind":"visit","time":"2031-01-01T00:00:00Z"}}"#);
        let body = format!(r#"{{"orgId":"{ID}","sentAt":"2031-01-01T00:01:00Z","events":[{event}]}}"#);
        let parsed = parse_body(body.as_bytes(), now()).unwrap();
        assert_eq!(parsed.events[0].at, now() - kernel::MINUTE);
    }
}
