//! The tiny page at which a sign-in by popup ends: it tells the window that opened it, and closes.

use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use httpkit::Refusal;

use crate::Error;

/// The page's script; a file of its own, because the policy of every page forbids scripts inside it.
pub const SCRIPT: &str = include_str!("popup.js");

/// What the opener is told.
pub enum Outcome {
    /// A code that it can redeem with its secret.
    Code(String),
    /// The person did not want to.
    Cancelled,
    /// The provider, or somebody between, said something that does not hold.
    Failed,
    /// The provider is not set up, or cannot be reached.
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
            Self::Code(_) => "Completing the sign-in…",
            Self::Cancelled => "The sign-in was cancelled. You can close this window.",
            Self::Failed => "The sign-in did not work. Close this window and try again.",
            Self::Unavailable => {
                "This way to sign in is not available. Close this window and choose another one."
            }
        }
    }
}

/// The page. `flow` and codes are base64url, so that nothing needs to be escaped.
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

/// The page for what nobody foresaw: the log has the cause, the opener learns that it failed.
pub fn trouble(flow: &str, error: Error) -> Response {
    let Refusal(problem) = error.into();
    refused(flow, problem.status)
}

/// The page of a call that was refused with this status.
pub fn refused(flow: &str, status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, page(flow, &Outcome::Failed)).into_response()
}

/// The script.
pub async fn script() -> Response {
    let headers = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "public, max-age=3600")];
    (headers, SCRIPT).into_response()
}
