//! Calls to the public API outside the measurements.

use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::BoxError;
use crate::server_process::Server;

/// API client, signed in or anonymous.
#[derive(Clone)]
pub struct Api {
    client: reqwest::Client,
    origin: String,
    pub token: Option<String>,
}

impl Api {
    /// Creates an anonymous client.
    pub fn of(server: &Server) -> Result<Self, BoxError> {
        // One connection per call: while a load is running, this client would not notice that the server
        // closed an idle one.
        let client = reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .timeout(Duration::from_mins(1))
            .build()?;
        Ok(Self { client, origin: server.at(""), token: None })
    }

    /// Signs in with a magic link from the sandbox's inbox.
    pub async fn sign_in(&self, email: &str, app: &str) -> Result<Self, BoxError> {
        let request = serde_json::json!({ "email": email, "action": "signup", "app": app });
        self.post("/v1/auth/magic-links", &request).await?;
        let inbox = format!("/sandbox/api/mails?to={}", email.replace('@', "%40"));
        let link = wait_for("magic link", async || {
            let mails = self.get(&inbox).await?;
            Ok(mails["data"][0]["links"][0].as_str().map(str::to_owned))
        })
        .await?;
        let code = link.split("code=").nth(1).and_then(|rest| rest.split('&').next()).unwrap_or_default();
        let claim = serde_json::json!({ "email": email, "code": code, "app": app });
        let session = self.post("/v1/auth/magic-links/redeem", &claim).await?;
        Ok(Self { token: Some(text(&session, "accessToken")?), ..self.clone() })
    }

    /// Returns the value of the Authorization header.
    pub fn bearer(&self) -> String {
        format!("Bearer {}", self.token.as_deref().unwrap_or_default())
    }

    /// Sends a GET request and parses the JSON response.
    pub async fn get(&self, path: &str) -> Result<Value, BoxError> {
        Ok(serde_json::from_slice(&self.bytes(path).await?)?)
    }

    /// Sends a GET request and returns the raw body.
    pub async fn bytes(&self, path: &str) -> Result<Vec<u8>, BoxError> {
        self.send(self.request(Method::GET, path), path).await
    }

    /// Sends a POST request with JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, BoxError> {
        let response = self.send(self.request(Method::POST, path).json(body), path).await?;
        Ok(serde_json::from_slice(&response)?)
    }

    /// Sends a PATCH request with JSON.
    pub async fn patch(&self, path: &str, body: &Value) -> Result<Value, BoxError> {
        let response = self.send(self.request(Method::PATCH, path).json(body), path).await?;
        Ok(serde_json::from_slice(&response)?)
    }

    /// Sends a DELETE request.
    pub async fn delete(&self, path: &str) -> Result<(), BoxError> {
        self.send(self.request(Method::DELETE, path), path).await.map(|_| ())
    }

    /// Sends a PUT request with bytes.
    pub async fn put(&self, path: &str, mime: &str, body: Vec<u8>) -> Result<(), BoxError> {
        let request = self.request(Method::PUT, path).header("content-type", mime).body(body);
        self.send(request, path).await.map(|_| ())
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.origin));
        match &self.token {
            Some(_) => request.header("authorization", self.bearer()),
            None => request,
        }
    }

    async fn send(&self, request: RequestBuilder, path: &str) -> Result<Vec<u8>, BoxError> {
        let response = request.send().await?;
        let status = response.status();
        let body = response.bytes().await?.to_vec();
        if status.is_success() {
            return Ok(body);
        }
        Err(format!("{path} responded with {status}: {}", String::from_utf8_lossy(&body)).into())
    }
}

/// Returns a string field of a response.
pub fn text(value: &Value, name: &str) -> Result<String, BoxError> {
    let text = value[name].as_str().map(str::to_owned);
    text.ok_or_else(|| format!("a response without {name}: {value}").into())
}

/// Returns the path of an absolute URL of this server.
pub fn path_of(address: &str) -> Result<&str, BoxError> {
    let rest = address.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    rest.ok_or_else(|| format!("{address:?} is not an absolute URL").into())
}

/// Polls until there is a value, for at most a minute.
pub async fn wait_for<T>(
    what: &str,
    poll: impl AsyncFnMut() -> Result<Option<T>, BoxError>,
) -> Result<T, BoxError> {
    wait_up_to(Duration::from_mins(1), what, poll).await
}

/// Polls until there is a value, for at most `most`.
pub async fn wait_up_to<T>(
    most: Duration,
    what: &str,
    mut poll: impl AsyncFnMut() -> Result<Option<T>, BoxError>,
) -> Result<T, BoxError> {
    let started = std::time::Instant::now();
    while started.elapsed() < most {
        if let Some(value) = poll().await? {
            return Ok(value);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!("no {what} within {} seconds", most.as_secs()).into())
}
