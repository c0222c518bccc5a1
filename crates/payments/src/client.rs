//! HTTP to the provider: keys, API version, idempotency, timeouts, and the meaning of error answers.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::form::Form;
use kernel::Secret;

use crate::STRIPE_VERSION;

/// Tries per call in total. Every POST carries an idempotency key, so a repetition is safe.
const MAX_ATTEMPTS: u32 = 3;
/// Wait before the second try; doubles each time.
const INITIAL_BACKOFF: Duration = Duration::from_millis(200);

/// The provider's address and the secrets shared with it.
#[derive(Clone, Debug)]
pub struct Access {
    /// Base address without the version: `https://api.stripe.com`, or the sandbox's stand-in.
    pub base: String,
    /// The API key sent with every call.
    pub secret_key: Secret,
    /// The secret that signs webhooks.
    pub webhook_secret: Secret,
}

/// Why a call to the provider failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaymentError {
    /// No answer, or only answers that ask to retry (5xx, 409, 429), after all tries.
    #[error("the payment provider cannot be reached: {0}")]
    Unreachable(String),
    /// The provider has no such record.
    #[error("the payment provider has no such record")]
    NotFound,
    /// The provider rejected the call.
    #[error("the payment provider rejected the call ({status} {code})")]
    Refused {
        /// HTTP status of the answer.
        status: u16,
        /// Stripe's `error.code`, or else its type; may be empty.
        code: String,
        /// Stripe's message. It may quote what a person entered, so it must not be logged.
        message: String,
    },
    /// No active price of the provider has the plan's id as its lookup key.
    #[error("no active price of the payment provider has the lookup key {0}")]
    PriceMissing(String),
    /// The answer does not have the expected shape.
    #[error("the payment provider's answer could not be read: {0}")]
    Unreadable(&'static str),
}

impl PaymentError {
    /// Returns the provider's words if it refused what a person entered, and not the call as such: a wrong key or a
    /// missing permission concerns the operator.
    pub fn refused_details(&self) -> Option<&str> {
        match self {
            Self::Refused { status: 400, code, message } if !code.starts_with("idempotency") => Some(message),
            _ => None,
        }
    }

    /// Returns whether a record is missing at the provider: the one asked for, or one that the call names.
    pub fn is_missing(&self) -> bool {
        match self {
            Self::NotFound => true,
            Self::Refused { code, .. } => code == "resource_missing",
            Self::Unreachable(_) | Self::PriceMissing(_) | Self::Unreadable(_) => false,
        }
    }
}

/// The HTTP client, bound to one provider.
pub(crate) struct Client {
    http: reqwest::Client,
    base: String,
    secret_key: Secret,
}

impl Client {
    /// Creates a client that follows no redirects and waits at most 20 s for an answer.
    pub(crate) fn new(base: &str, secret_key: Secret) -> Result<Self, PaymentError> {
        let mut builder = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(5))
            .timeout(Duration::from_secs(20))
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("vitrine/", env!("CARGO_PKG_VERSION")));
        let host = url::Url::parse(base).ok().and_then(|url| url.host_str().map(str::to_owned));
        if host.is_some_and(|host| crate::settings::is_loopback(&host)) {
            // A proxy set in the environment cannot reach our own listener.
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| PaymentError::Unreachable(error.to_string()))?;
        Ok(Self { http, base: base.trim_end_matches('/').to_owned(), secret_key })
    }

    pub(crate) async fn get(&self, path: &str, query: &Form) -> Result<Value, PaymentError> {
        let query = query.encode();
        let path = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
        self.call(Method::GET, &path, None, None).await
    }

    pub(crate) async fn post(&self, path: &str, form: &Form, key: &str) -> Result<Value, PaymentError> {
        self.call(Method::POST, path, Some(form.encode()), Some(key)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<Value, PaymentError> {
        self.call(Method::DELETE, path, None, None).await
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        key: Option<&str>,
    ) -> Result<Value, PaymentError> {
        let mut wait = INITIAL_BACKOFF;
        let mut attempt = 1;
        loop {
            match self.send(method.clone(), path, body.clone(), key).await {
                Err(PaymentError::Unreachable(why)) if attempt < MAX_ATTEMPTS => {
                    tracing::warn!(%path, attempt, %why, "payment provider did not answer, retrying");
                    tokio::time::sleep(wait).await;
                    wait *= 2;
                    attempt += 1;
                }
                answer => return answer,
            }
        }
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        key: Option<&str>,
    ) -> Result<Value, PaymentError> {
        let mut request = self
            .http
            .request(method, format!("{}/v1/{path}", self.base))
            .bearer_auth(self.secret_key.reveal())
            .header("Stripe-Version", STRIPE_VERSION);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = body {
            request = request.header("Content-Type", "application/x-www-form-urlencoded").body(body);
        }
        let unreachable = |error: reqwest::Error| PaymentError::Unreachable(error.without_url().to_string());
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let bytes = response.bytes().await.map_err(unreachable)?;
        parse_response(status, &bytes)
    }
}

fn parse_response(status: StatusCode, bytes: &[u8]) -> Result<Value, PaymentError> {
    // Stripe answers 409 while another request with the same idempotency key is in progress; it can be
    // retried too.
    let retryable = status.is_server_error() || matches!(status.as_u16(), 409 | 429);
    if retryable {
        return Err(PaymentError::Unreachable(format!("it answered {status}")));
    }
    if status == StatusCode::NOT_FOUND {
        return Err(PaymentError::NotFound);
    }
    let value: Option<Value> = serde_json::from_slice(bytes).ok();
    if status.is_success() {
        return value.ok_or(PaymentError::Unreadable("not JSON"));
    }
    let word = |pointer: &str| {
        value.as_ref().and_then(|value| value.pointer(pointer)).and_then(Value::as_str).map(str::to_owned)
    };
    Err(PaymentError::Refused {
        status: status.as_u16(),
        code: word("/error/code").or_else(|| word("/error/type")).unwrap_or_default(),
        message: word("/error/message").unwrap_or_default(),
    })
}
