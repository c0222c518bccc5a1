//! References for the real routes: the minimum a server could do for the same request, behind the same layers
//! and the same token check.

use std::sync::Arc;
use std::sync::OnceLock;

use analytics::EventsIn;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use http::{StatusCode, header};
use httpkit::ApiResult;
use identity::Bearer;
use kernel::{Problem, Uuid};
use serde::Serialize;

/// Body limit of the real route.
const EVENTS_BYTES: usize = 128 * 1024;

/// Bytes of the list.
#[derive(Clone, Default)]
struct StoredBytes(Arc<OnceLock<Bytes>>);

/// Returns the reference routes.
pub fn routes() -> Router {
    let events =
        Router::new().route("/v1/bench/events", post(drop_events)).layer(DefaultBodyLimit::max(EVENTS_BYTES));
    Router::new()
        .route("/v1/bench/playlists", get(same_bytes))
        .route("/v1/bench/bytes", put(store_bytes))
        .with_state(StoredBytes::default())
        .merge(events)
}

async fn store_bytes(State(stored): State<StoredBytes>, body: Bytes) -> StatusCode {
    if stored.0.set(body).is_ok() { StatusCode::NO_CONTENT } else { StatusCode::CONFLICT }
}

/// Returns the same bytes as the real list, from memory, once the token's signature is verified.
async fn same_bytes(
    State(stored): State<StoredBytes>,
    _: Bearer,
) -> ([(header::HeaderName, &'static str); 1], Bytes) {
    let bytes = stored.0.get().cloned().unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], bytes)
}

/// Response of the real route if all events were accepted.
#[derive(Serialize)]
struct EventsOut {
    accepted: usize,
    rejected: [Uuid; 0],
}

/// Parses the events into the real route's type, and discards them.
async fn drop_events(_: Bearer, body: Bytes) -> ApiResult<(StatusCode, Json<EventsOut>)> {
    let sent: EventsIn = serde_json::from_slice(&body)
        .map_err(|error| Problem::bad_request("invalid_body", error.to_string()))?;
    let accepted = std::hint::black_box(sent).count();
    Ok((StatusCode::ACCEPTED, Json(EventsOut { accepted, rejected: [] })))
}
