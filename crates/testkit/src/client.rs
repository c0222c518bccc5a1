//! People who call the API.

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use kernel::Uid;
use serde_json::Value;
use tower::ServiceExt as _;

/// Somebody who calls the API, with or without a token.
#[derive(Clone)]
pub struct Client {
    router: Router,
    identity: Option<(String, Uid)>,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The raw body.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The body as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }

    /// Fails the test unless the status is the given one, showing the body; returns the JSON.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.bytes));
        self.json()
    }

    /// Fails the test unless the answer is this refusal.
    #[track_caller]
    pub fn refuse(&self, status: u16, message: &str) {
        let json = self.expect(status);
        assert_eq!((json["message"].as_str(), json["status"].as_u64()), (Some(message), Some(status.into())));
    }
}

impl Client {
    /// Calls this app with this token, as this person.
    pub fn new(router: Router, identity: Option<(String, Uid)>) -> Self {
        Self { router, identity }
    }

    /// The person's id.
    pub fn uid(&self) -> Uid {
        self.identity.as_ref().expect("a signed-in person").1
    }

    /// The person's id, unless anonymous.
    pub fn try_uid(&self) -> Option<Uid> {
        self.identity.as_ref().map(|(_, uid)| *uid)
    }

    /// The bearer token.
    pub fn token(&self) -> &str {
        &self.identity.as_ref().expect("a signed-in person").0
    }

    /// The same app called with another token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { router: self.router.clone(), identity: Some((token.to_owned(), Uid::nil())) }
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    /// `POST` with JSON.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.json(Method::POST, path, &body).await
    }

    /// `PATCH` with JSON.
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.json(Method::PATCH, path, &body).await
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path).body(Body::empty()).unwrap()).await
    }

    /// Any method with JSON.
    pub async fn json(&self, method: Method, path: &str, body: &Value) -> Answer {
        let request = self.request(method, path).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// A request with the person's token, to be finished by the test.
    pub fn request(&self, method: Method, path: &str) -> http::request::Builder {
        // An absolute address of ours may be handed in as it came.
        let path = path.strip_prefix("http://vitrine.test").unwrap_or(path);
        let request = Request::builder().method(method).uri(path).header(header::HOST, "vitrine.test");
        match &self.identity {
            Some((token, _)) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        }
    }

    /// `GET`, with the body still to be read.
    pub async fn begin(&self, path: &str) -> axum::response::Response {
        let request = self.request(Method::GET, path).body(Body::empty()).unwrap();
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// Sends a request.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default();
        Answer { status: parts.status, headers: parts.headers, bytes }
    }
}
