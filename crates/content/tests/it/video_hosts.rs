//! A stand-in for YouTube and Vimeo, with an answer for each path.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use content::EmbedLookup;
use http::{StatusCode, Uri, header};
use jpeg_encoder::{ColorType, Encoder};
use serde_json::json;
use tokio::sync::Notify;

/// Answers of the hosts. Anything else is not found.
#[derive(Clone)]
pub struct VideoHosts {
    base: String,
    state: Arc<HostsState>,
}

#[derive(Default)]
struct HostsState {
    answers: Mutex<HashMap<String, CannedResponse>>,
    /// Path and query of each request.
    requests: Mutex<Vec<String>>,
    /// Set while requests for descriptions wait.
    held: Mutex<Option<Arc<Gate>>>,
}

/// Holds a request until something else has happened.
#[derive(Default)]
pub struct Gate {
    pub reached: Notify,
    pub opened: Notify,
}

#[derive(Clone)]
pub struct CannedResponse {
    pub status: StatusCode,
    pub location: String,
    pub body: Vec<u8>,
}

impl VideoHosts {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let hosts = Self { base, state: Arc::default() };
        let app = Router::new().fallback(answer).with_state(hosts.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        hosts
    }

    pub fn lookup(&self) -> EmbedLookup {
        EmbedLookup::stand_in(&self.base).unwrap()
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Answers requests for this path, whatever their query.
    pub fn answer(&self, path: &str, status: u16, body: impl Into<Vec<u8>>) {
        let status = StatusCode::from_u16(status).unwrap();
        let answer = CannedResponse { status, location: String::new(), body: body.into() };
        self.state.answers.lock().unwrap().insert(path.to_owned(), answer);
    }

    /// Redirects requests for this path.
    pub fn redirect(&self, path: &str, to: &str) {
        let answer = CannedResponse { status: StatusCode::FOUND, location: to.to_owned(), body: Vec::new() };
        self.state.answers.lock().unwrap().insert(path.to_owned(), answer);
    }

    /// Describes every video of a host with a thumbnail of this width. Vimeo tells a length of 62 seconds, too.
    pub fn describe(&self, host: &str, title: &str, width: u16) {
        let thumbnail = format!("/{host}-{width}.jpg");
        let mut description = json!({ "title": title, "thumbnail_url": self.url(&thumbnail) });
        if host == "vimeo" {
            description["duration"] = json!(62);
        }
        self.answer(&format!("/{host}"), 200, description.to_string());
        self.answer(&thumbnail, 200, jpeg(width));
    }

    /// Holds every request for a description from now on.
    pub fn hold(&self) -> Arc<Gate> {
        let gate = Arc::<Gate>::default();
        *self.state.held.lock().unwrap() = Some(Arc::clone(&gate));
        gate
    }

    pub fn release(&self) {
        *self.state.held.lock().unwrap() = None;
    }

    /// Returns the requests so far.
    pub fn requests(&self) -> Vec<String> {
        self.state.requests.lock().unwrap().clone()
    }
}

async fn answer(State(hosts): State<VideoHosts>, uri: Uri) -> Response {
    hosts.state.requests.lock().unwrap().push(uri.to_string());
    let held = hosts.state.held.lock().unwrap().clone();
    if let Some(gate) = held.filter(|_| uri.query().is_some()) {
        gate.reached.notify_one();
        gate.opened.notified().await;
    }
    let found = hosts.state.answers.lock().unwrap().get(uri.path()).cloned();
    match found {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(CannedResponse { status, location, body }) if location.is_empty() => {
            (status, body).into_response()
        }
        Some(CannedResponse { status, location, .. }) => {
            (status, [(header::LOCATION, location)]).into_response()
        }
    }
}

/// Returns a JPEG of this width and half the height.
pub fn jpeg(width: u16) -> Vec<u8> {
    let mut jpeg = Vec::new();
    let pixels = vec![90; usize::from(width) * usize::from(width / 2) * 3];
    Encoder::new(&mut jpeg, 80).encode(&pixels, width, width / 2, ColorType::Rgb).unwrap();
    jpeg
}
