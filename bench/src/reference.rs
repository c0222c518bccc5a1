//! What the real routes are held against: the least a server could do for the same request, behind the same
//! layers and the same check of the token.

use std::sync::Arc;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use http::{StatusCode, header};
use httpkit::Reply;
use identity::Bearer;
use kernel::{Millis, Problem, Uuid};
use serde::{Deserialize, Deserializer, Serialize};

/// As the real intake has it.
const EVENTS_BYTES: usize = 128 * 1024;

/// The bytes of the list.
#[derive(Clone, Default)]
struct Kept(Arc<OnceLock<Bytes>>);

/// The reference routes.
pub fn routes() -> Router {
    let events =
        Router::new().route("/v1/bench/events", post(drop_events)).layer(DefaultBodyLimit::max(EVENTS_BYTES));
    Router::new()
        .route("/v1/bench/playlists", get(same_bytes))
        .route("/v1/bench/bytes", put(keep_bytes))
        .with_state(Kept::default())
        .merge(events)
}

/// Takes the bytes that are to be answered.
async fn keep_bytes(State(kept): State<Kept>, body: Bytes) -> StatusCode {
    if kept.0.set(body).is_ok() { StatusCode::NO_CONTENT } else { StatusCode::CONFLICT }
}

/// The same bytes as the real list, from memory, once the token's signature holds.
async fn same_bytes(State(kept): State<Kept>, _: Bearer) -> ([(header::HeaderName, &'static str); 1], Bytes) {
    let bytes = kept.0.get().cloned().unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], bytes)
}

/// What the real answer looks like when everything was taken.
#[derive(Serialize)]
struct EventsOut {
    accepted: usize,
    rejected: [Uuid; 0],
}

/// Reads the events as the intake does, and forgets them.
async fn drop_events(_: Bearer, body: Bytes) -> Reply<(StatusCode, Json<EventsOut>)> {
    let sent: EventsIn = serde_json::from_slice(&body)
        .map_err(|error| Problem::bad_request("invalid_body", error.to_string()))?;
    let accepted = std::hint::black_box(sent).events.len();
    Ok((StatusCode::ACCEPTED, Json(EventsOut { accepted, rejected: [] })))
}

/// The intake's own shape, field by field (`analytics`, `POST /events`).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "read to be dropped")]
struct EventsIn {
    org_id: Uuid,
    events: Vec<EventIn>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "read to be dropped")]
struct EventIn {
    kind: EventKind,
    id: Uuid,
    #[serde(deserialize_with = "time")]
    time: Millis,
    content_id: Option<Uuid>,
    playlist_id: Option<Uuid>,
    view_id: Option<Uuid>,
    seq: Option<u32>,
    from: Option<f64>,
    to: Option<f64>,
    rate: Option<f64>,
    state: Option<PlayState>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EventKind {
    Beat,
    Visit,
    Download,
    Contact,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum PlayState {
    Playing,
    Paused,
    Seeking,
    Ended,
    Hidden,
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
