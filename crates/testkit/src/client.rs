//! API clients for tests.

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use kernel::PersonId;
use serde_json::Value;
use tower::ServiceExt as _;

/// The host of the public URL in tests.
const HOST: &str = "vitrine.test";

/// An API client, anonymous or with a token.
#[derive(Clone)]
pub struct Client {
    router: Router,
    identity: Option<(String, PersonId)>,
    host: String,
}

/// A response.
#[derive(Debug)]
pub struct ApiResponse {
    /// HTTP status.
    pub status: StatusCode,
    /// Response headers.
    pub headers: HeaderMap,
    /// Raw body.
    pub bytes: Vec<u8>,
}

impl ApiResponse {
    /// Returns the body as JSON, or null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }

    /// Fails the test, showing the body, unless the status matches; returns the JSON.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.bytes));
        self.json()
    }

    /// Fails the test unless the response is an error with this status and message.
    #[track_caller]
    pub fn expect_error(&self, status: u16, message: &str) {
        let json = self.expect(status);
        assert_eq!((json["message"].as_str(), json["status"].as_u64()), (Some(message), Some(status.into())));
    }
}

impl Client {
    /// Creates a client of the app with a token and the id of its person.
    pub fn new(router: Router, identity: Option<(String, PersonId)>) -> Self {
        Self { router, identity, host: HOST.to_owned() }
    }

    /// Returns the person's id; panics if the client is anonymous.
    pub fn uid(&self) -> PersonId {
        self.identity.as_ref().expect("a signed-in person").1
    }

    /// Returns the person's id unless the client is anonymous.
    pub fn try_uid(&self) -> Option<PersonId> {
        self.identity.as_ref().map(|(_, uid)| *uid)
    }

    /// Returns the bearer token; panics if the client is anonymous.
    pub fn token(&self) -> &str {
        &self.identity.as_ref().expect("a signed-in person").0
    }

    /// Returns a client of the same app with another token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { identity: Some((token.to_owned(), PersonId::nil())), ..self.clone() }
    }

    /// Returns the client, which now sends this Host header.
    #[must_use]
    pub fn at_host(self, host: &str) -> Self {
        Self { host: host.to_owned(), ..self }
    }

    /// Sends a `GET` request.
    pub async fn get(&self, path: &str) -> ApiResponse {
        self.send(self.request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    /// Sends a `POST` request with JSON.
    pub async fn post(&self, path: &str, body: Value) -> ApiResponse {
        self.json(Method::POST, path, &body).await
    }

    /// Sends a PUT request.
    pub async fn put(&self, path: &str, body: Value) -> ApiResponse {
        self.json(Method::PUT, path, &body).await
    }

    /// Sends a `PATCH` request with JSON.
    pub async fn patch(&self, path: &str, body: Value) -> ApiResponse {
        self.json(Method::PATCH, path, &body).await
    }

    /// Sends a `DELETE` request.
    pub async fn delete(&self, path: &str) -> ApiResponse {
        self.send(self.request(Method::DELETE, path).body(Body::empty()).unwrap()).await
    }

    /// Sends a request with any method and JSON.
    pub async fn json(&self, method: Method, path: &str, body: &Value) -> ApiResponse {
        let request = self.request(method, path).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Starts a request with the client's token, for the test to finish.
    pub fn request(&self, method: Method, path: &str) -> http::request::Builder {
        // Accepts absolute URLs of the app as the API returns them.
        let path = path.strip_prefix("http://vitrine.test").unwrap_or(path);
        let request = Request::builder().method(method).uri(path).header(header::HOST, &self.host);
        match &self.identity {
            Some((token, _)) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        }
    }

    /// Sends a `GET` request and returns the response without reading its body.
    pub async fn get_stream(&self, path: &str) -> axum::response::Response {
        let request = self.request(Method::GET, path).body(Body::empty()).unwrap();
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// Sends a request and reads the whole response.
    pub async fn send(&self, request: Request<Body>) -> ApiResponse {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default();
        ApiResponse { status: parts.status, headers: parts.headers, bytes }
    }
}
