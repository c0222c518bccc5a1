//! The HTTP client that talks to providers: no redirects, little time, small answers.

use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse};

/// The largest answer read.
const ANSWER_MAX: usize = 1024 * 1024;

/// Why a provider could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// It could not be reached, or did not answer in time.
    #[error("{0}")]
    Unreachable(#[from] reqwest::Error),
    /// It answered with too much.
    #[error("the provider's answer is too large")]
    TooLarge,
    /// It answered with something that is no answer.
    #[error("{0}")]
    Malformed(#[from] ::http::Error),
}

/// The client of all providers.
pub fn client() -> Result<reqwest::Client, String> {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(10))
        .connect_timeout(Duration::from_secs(5))
        .build()
        .map_err(|error| format!("no HTTP client for sign-in providers: {error}"))
}

/// One call, in the words of the OpenID library.
pub async fn call(client: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, HttpError> {
    let mut answer = client.execute(reqwest::Request::try_from(request)?).await?;
    let mut built = ::http::Response::builder().status(answer.status());
    for (name, value) in answer.headers() {
        built = built.header(name, value);
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        if body.len() + chunk.len() > ANSWER_MAX {
            return Err(HttpError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(built.body(body)?)
}
