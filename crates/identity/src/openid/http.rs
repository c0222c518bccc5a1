//! The HTTP client for providers: no redirects, short timeouts, small responses.

use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse};

/// Maximum size of a response.
const RESPONSE_MAX: usize = 1024 * 1024;

/// Why a request to a provider failed.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The provider could not be reached, or did not respond in time.
    #[error("{0}")]
    Unreachable(#[from] reqwest::Error),
    /// The response is too large.
    #[error("the provider's response is too large")]
    TooLarge,
    /// The response is not valid HTTP.
    #[error("{0}")]
    Malformed(#[from] ::http::Error),
}

/// Creates the client shared by all providers.
pub fn client() -> Result<reqwest::Client, String> {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(10))
        .connect_timeout(Duration::from_secs(5))
        .build()
        .map_err(|error| format!("cannot create the HTTP client for sign-in providers: {error}"))
}

/// Sends a request of the OpenID library.
pub async fn call(client: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, HttpError> {
    let mut response = client.execute(reqwest::Request::try_from(request)?).await?;
    let mut built = ::http::Response::builder().status(response.status());
    for (name, value) in response.headers() {
        built = built.header(name, value);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > RESPONSE_MAX {
            return Err(HttpError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(built.body(body)?)
}
