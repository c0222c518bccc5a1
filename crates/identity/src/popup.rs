//! The small page on which a popup sign-in ends: it reports the outcome to the window that opened it and
//! closes.

use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use httpkit::ApiError;

use crate::Error;

/// The page's script. It is a separate file because the Content-Security-Policy forbids inline scripts.
pub const SCRIPT: &str = include_str!("popup.js");

/// The outcome reported to the opener.
pub enum Outcome {
    /// A code that the opener can redeem with its secret.
    Code(String),
    /// The person cancelled the sign-in.
    Cancelled,
    /// The response from the provider is invalid.
    Failed,
    /// The provider is not configured or cannot be reached.
    Unavailable,
}

impl Outcome {
    fn error(&self) -> &'static str {
        match self {
            Self::Code(_) => "",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::Unavailable => "unavailable",
        }
    }

    fn sentence(&self) -> &'static str {
        match self {
            Self::Code(_) => "Completing sign-in…",
            Self::Cancelled => "The sign-in was cancelled. You can close this window.",
            Self::Failed => "Sign-in failed. Close this window and try again.",
            Self::Unavailable => {
                "This sign-in method is not available. Close this window and choose another one."
            }
        }
    }
}

/// Renders the page. `flow` and codes are base64url, so nothing needs escaping.
pub fn page(flow: &str, outcome: &Outcome) -> Response {
    let code = match outcome {
        Outcome::Code(code) => code.as_str(),
        _ => "",
    };
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>Signing in – \
         {product}</title>\n<style>body{{font:1rem/1.5 system-ui,sans-serif;margin:3rem auto;max-width:28rem;padding:0 \
         1.5rem}}</style>\n<body data-flow=\"{flow}\" data-code=\"{code}\" data-error=\"{error}\">\n<main><h1>\
         {product}</h1><p role=\"status\">{sentence}</p></main>\n<script \
         src=\"/v1/auth/oidc/popup.js\"></script>\n</body>\n</html>\n",
        product = kernel::PRODUCT,
        error = outcome.error(),
        sentence = outcome.sentence(),
    );
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (
            CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
        ),
    ];
    (headers, html).into_response()
}

/// Renders the page for an unexpected error: the cause is logged, the opener only learns that sign-in failed.
pub fn error_page(flow: &str, error: Error) -> Response {
    let ApiError(problem) = error.into();
    refused_page(flow, problem.status)
}

/// Renders the page for a call that was refused with this status.
pub fn refused_page(flow: &str, status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, page(flow, &Outcome::Failed)).into_response()
}

/// Serves the page's script.
pub async fn script() -> Response {
    let headers = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "public, max-age=3600")];
    (headers, SCRIPT).into_response()
}

/// Returns the response to the start of a popup sign-in that was refused before it reached this crate, by a
/// rate limit for example: a page that reports the failure to the opener. Returns `None` for any other path.
pub fn refused_popup(path: &str, query: &str, status: u16) -> Option<Response> {
    let is_start = path.starts_with("/v1/auth/oidc/") && path.ends_with("/start");
    let challenge = query.split('&').find_map(|pair| pair.strip_prefix("challenge="));
    let challenge = challenge.filter(|challenge| crate::ops::is_challenge(challenge)).filter(|_| is_start)?;
    Some(refused_page(challenge, status))
}
