//! Calls of the public API, for everything that is not measured.

use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::Failure;
use crate::house::Server;

/// Somebody who is signed in, or nobody.
#[derive(Clone)]
pub struct Api {
    client: reqwest::Client,
    origin: String,
    /// The access token.
    pub token: Option<String>,
}

impl Api {
    /// Nobody yet.
    pub fn of(server: &Server) -> Result<Self, Failure> {
        // A connection a call: while a load runs, nobody here would notice that an idle one was closed.
        let client = reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .timeout(Duration::from_secs(60))
            .build()?;
        Ok(Self { client, origin: server.at(""), token: None })
    }

    /// Somebody, by a magic link out of the sandbox's inbox.
    pub async fn sign_in(&self, email: &str, app: &str) -> Result<Self, Failure> {
        let wish = serde_json::json!({ "email": email, "action": "signup", "app": app });
        self.post("/v1/auth/magic-links", &wish).await?;
        let inbox = format!("/sandbox/api/mails?to={}", email.replace('@', "%40"));
        let link = wait_for("the magic link", async || {
            let mails = self.get(&inbox).await?;
            Ok(mails["data"][0]["links"][0].as_str().map(str::to_owned))
        })
        .await?;
        let code = link.split("code=").nth(1).and_then(|rest| rest.split('&').next()).unwrap_or_default();
        let claim = serde_json::json!({ "email": email, "code": code, "app": app });
        let session = self.post("/v1/auth/magic-links/redeem", &claim).await?;
        Ok(Self { token: Some(text(&session, "accessToken")?), ..self.clone() })
    }

    /// The value of the Authorization header.
    pub fn bearer(&self) -> String {
        format!("Bearer {}", self.token.as_deref().unwrap_or_default())
    }

    /// GET of a JSON answer.
    pub async fn get(&self, path: &str) -> Result<Value, Failure> {
        Ok(serde_json::from_slice(&self.bytes(path).await?)?)
    }

    /// GET of an answer as it came.
    pub async fn bytes(&self, path: &str) -> Result<Vec<u8>, Failure> {
        self.send(self.request(Method::GET, path), path).await
    }

    /// POST of JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        let answer = self.send(self.request(Method::POST, path).json(body), path).await?;
        Ok(serde_json::from_slice(&answer)?)
    }

    /// PATCH of JSON.
    pub async fn patch(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        let answer = self.send(self.request(Method::PATCH, path).json(body), path).await?;
        Ok(serde_json::from_slice(&answer)?)
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Result<(), Failure> {
        self.send(self.request(Method::DELETE, path), path).await.map(|_| ())
    }

    /// PUT of bytes.
    pub async fn put(&self, path: &str, mime: &str, body: Vec<u8>) -> Result<(), Failure> {
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

    async fn send(&self, request: RequestBuilder, path: &str) -> Result<Vec<u8>, Failure> {
        let answer = request.send().await?;
        let status = answer.status();
        let body = answer.bytes().await?.to_vec();
        if status.is_success() {
            return Ok(body);
        }
        Err(format!("{path} answered {status}: {}", String::from_utf8_lossy(&body)).into())
    }
}

/// A text of an answer.
pub fn text(value: &Value, name: &str) -> Result<String, Failure> {
    let text = value[name].as_str().map(str::to_owned);
    text.ok_or_else(|| format!("an answer without {name}: {value}").into())
}

/// The path of an absolute address of this server.
pub fn path_of(address: &str) -> Result<&str, Failure> {
    let rest = address.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    rest.ok_or_else(|| format!("{address:?} is no absolute address").into())
}

/// Asks until there is an answer, for at most a minute.
pub async fn wait_for<T>(
    what: &str,
    ask: impl AsyncFnMut() -> Result<Option<T>, Failure>,
) -> Result<T, Failure> {
    wait_up_to(Duration::from_secs(60), what, ask).await
}

/// Asks until there is an answer, for at most so long.
pub async fn wait_up_to<T>(
    most: Duration,
    what: &str,
    mut ask: impl AsyncFnMut() -> Result<Option<T>, Failure>,
) -> Result<T, Failure> {
    let began = std::time::Instant::now();
    while began.elapsed() < most {
        if let Some(answer) = ask().await? {
            return Ok(answer);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!("{what} did not come within {} seconds", most.as_secs()).into())
}
