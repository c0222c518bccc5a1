//! `POST /events`: what the viewer app reports (V-07, R-01, R-02, R-22).

use axum::Json;
use axum::extract::State;
use http::{HeaderMap, StatusCode, header};
use httpkit::{RawBody, Reply};
use identity::Bearer;
use kernel::{Millis, Problem, Uuid};
use serde::{Deserialize, Deserializer, Serialize};

use crate::definitions::view::{Beat, PlayState};
use crate::definitions::{booked_at, bots};
use crate::intake::Request;
use crate::model::{self, EVENTS_MAX, Event, Outcome, Reason, What};
use crate::{Analytics, Error};

/// Events of one person in one organisation.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventsIn {
    org_id: Uuid,
    /// At most a hundred.
    events: Vec<EventIn>,
}

impl EventsIn {
    /// How many were sent.
    pub fn count(&self) -> usize {
        self.events.len()
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// A player's report.
    Beat,
    /// The app was opened.
    Visit,
    /// A file was taken.
    Download,
    /// A playlist's contact was tapped.
    Contact,
}

/// An event. A beat needs viewId, seq, contentId, from, to and state; a download contentId; a contact
/// playlistId.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventIn {
    kind: EventKind,
    /// Chosen by the sender; counts once.
    id: Uuid,
    /// When it happened, by the sender's clock.
    #[serde(deserialize_with = "time")]
    #[schema(value_type = String)]
    time: Millis,
    content_id: Option<Uuid>,
    playlist_id: Option<Uuid>,
    view_id: Option<Uuid>,
    /// Counts the beats of the view, from 0.
    seq: Option<u32>,
    /// Where the section shown begins: media milliseconds, or pages of a document.
    from: Option<f64>,
    /// Where it ends.
    to: Option<f64>,
    /// How fast it played (1).
    rate: Option<f64>,
    state: Option<PlayState>,
}

/// An event that was not taken.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RejectedOut {
    id: Uuid,
    reason: Reason,
}

/// What became of the events.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EventsOut {
    /// Taken, those taken before included.
    accepted: usize,
    rejected: Vec<RejectedOut>,
}

/// Takes events. Answered once they are durable; what was taken before counts once.
#[utoipa::path(post, path = "/events", tag = "analytics", request_body = EventsIn, responses(
    (status = 202, body = EventsOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem), (status = 413, body = Problem), (status = 503, body = Problem),
))]
pub async fn post_events(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    headers: HeaderMap,
    RawBody(body): RawBody,
) -> Reply<(StatusCode, Json<EventsOut>)> {
    let sent: EventsIn = serde_json::from_slice(&body).map_err(|error| body_problem(&error))?;
    if sent.events.len() > EVENTS_MAX {
        return Err(Error::TooManyEvents.into());
    }
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let now = analytics.ambient.now();
    let (events, rejected) = understood(sent.events, now);
    let request = Request {
        bearer,
        org: sent.org_id,
        bot: bots::is_known(agent),
        received_at: now,
        kept: model::kept(&events, now),
        events,
        rejected,
    };
    let outcome = analytics.intake.take(request).await?;
    Ok((StatusCode::ACCEPTED, Json(out(outcome))))
}

fn out(outcome: Outcome) -> EventsOut {
    let rejected = outcome.rejected.into_iter().map(|(id, reason)| RejectedOut { id, reason });
    EventsOut { accepted: outcome.accepted, rejected: rejected.collect() }
}

fn body_problem(error: &serde_json::Error) -> Problem {
    if error.is_data() {
        Problem::bad_request("invalid_body", error.to_string())
    } else {
        Problem::bad_request("invalid_json", "The body is not valid JSON.")
    }
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Millis, D::Error> {
    struct Time;
    impl serde::de::Visitor<'_> for Time {
        type Value = Millis;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an ISO 8601 time")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Millis, E> {
            kernel::ms_from_iso(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
        }
    }
    deserializer.deserialize_str(Time)
}

/// Events in the order of their times, and those that make no sense.
fn understood(sent: Vec<EventIn>, now: Millis) -> (Vec<Event>, Vec<(Uuid, Reason)>) {
    let mut events = Vec::with_capacity(sent.len());
    let mut rejected = Vec::new();
    for event in sent {
        let id = event.id;
        match (booked_at(event.time, now), event.what()) {
            (None, _) => rejected.push((id, Reason::Clock)),
            (_, None) => rejected.push((id, Reason::Invalid)),
            (Some(at), Some(what)) => events.push(Event { id, at, what }),
        }
    }
    events.sort_by_key(|event| event.at);
    (events, rejected)
}

impl EventIn {
    fn what(self) -> Option<What> {
        match self.kind {
            EventKind::Visit => Some(What::Visit),
            EventKind::Download => {
                Some(What::Download { content: self.content_id?, playlist: self.playlist_id })
            }
            EventKind::Contact => Some(What::Contact { playlist: self.playlist_id? }),
            EventKind::Beat => Some(What::Beat {
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

/// A place in a content; at most a century long.
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

    fn one(fields: &str, now: Millis) -> (Vec<Event>, Vec<(Uuid, Reason)>) {
        let text = format!(r#"{{"orgId":"{ID}","events":[{{"id":"{ID}",{fields}}}]}}"#);
        understood(parse(&text).unwrap().events, now)
    }

    #[test]
    fn each_kind_needs_its_fields() {
        let now = kernel::ms_from_iso("2026-11-20T08:00:00Z").unwrap();
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
            assert_eq!(one(&fields, now).1[0].1, Reason::Invalid, "{fields}");
        }
        assert_eq!(one(r#""kind":"visit","time":"2026-11-20T09:00:00Z""#, now).1[0].1, Reason::Clock);
        assert!(parse(r#"{"orgId":"x","events":[]}"#).is_err());
    }

    #[test]
    fn events_are_booked_in_the_order_of_their_times() {
        let text = format!(
            r#"{{"orgId":"{ID}","events":[
                {{"id":"{ID}","kind":"visit","time":"2026-11-20T07:59:00Z"}},
                {{"id":"{ID}","kind":"visit","time":"2026-11-20T07:58:00Z"}}]}}"#
        );
        let now = kernel::ms_from_iso("2026-11-20T08:00:00Z").unwrap();
        let (events, _) = understood(parse(&text).unwrap().events, now);
        assert!(events[0].at < events[1].at);
    }
}
