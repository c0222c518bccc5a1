//! The inbox: the list, an email, and the email's own HTML for the frame.

use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderName, StatusCode, header};
use httpkit::{ApiError, unexpected};
use kernel::{Email, EmailId};
use mail::SentEmail;
use minijinja::context;
use minijinja::value::Value;
use serde::Deserialize;

use super::readable;
use crate::Sandbox;

/// Emails in the list.
const MAX_LISTED: u64 = 100;

/// Restricts the inbox to a recipient.
#[derive(Deserialize)]
pub(super) struct Filter {
    #[serde(default)]
    to: String,
}

pub(super) async fn list(State(sandbox): State<Sandbox>, Query(filter): Query<Filter>) -> Response {
    // An invalid address filters nothing; unlike the API, the page is for browsing.
    let to = Email::parse(&filter.to);
    let emails = match sandbox.deps().mailer.sent(to.as_ref(), MAX_LISTED).await {
        Ok(emails) => emails,
        Err(error) => return ApiError(unexpected(&error)).into_response(),
    };
    let emails: Vec<Value> = emails.iter().map(email_values).collect();
    let values = context! { emails => emails, to => filter.to.as_str() };
    sandbox.pages().render(StatusCode::OK, "mails.html", "Inbox", values)
}

pub(super) async fn one(State(sandbox): State<Sandbox>, Path(uid): Path<String>) -> Response {
    let email = match find(&sandbox, &uid).await {
        Ok(email) => email,
        Err(response) => return *response,
    };
    let links: Vec<Value> = email.links().into_iter().map(Value::from).collect();
    let values = context! { email => email_values(&email), links => links };
    sandbox.pages().render(StatusCode::OK, "mail.html", &email.subject, values)
}

/// Serves the email as a mail client would show it: nothing in it runs, it loads only an organisation's logo
/// from here, and its links leave the frame.
pub(super) async fn html(State(sandbox): State<Sandbox>, Path(uid): Path<String>) -> Response {
    let email = match find(&sandbox, &uid).await {
        Ok(email) => email,
        Err(response) => return *response,
    };
    let html = email.html.unwrap_or_default().replacen("<head>", "<head><base target=\"_top\">", 1);
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'; frame-ancestors 'self'; \
                  sandbox allow-popups allow-top-navigation-by-user-activation";
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (HeaderName::from_static("cache-control"), "no-store"),
    ];
    (headers, Html(html)).into_response()
}

async fn find(sandbox: &Sandbox, uid: &str) -> Result<SentEmail, Box<Response>> {
    let found = match uid.parse::<EmailId>() {
        Ok(uid) => sandbox.deps().mailer.sent_email(uid).await,
        Err(_) => Ok(None),
    };
    match found {
        Ok(Some(email)) => Ok(email),
        Ok(None) => Err(Box::new(sandbox.pages().notice(
            StatusCode::NOT_FOUND,
            "Email not found",
            "It may be older than 7 days.",
            "Go to inbox",
            "/sandbox/mail",
        ))),
        Err(error) => Err(Box::new(ApiError(unexpected(&error)).into_response())),
    }
}

fn email_values(email: &SentEmail) -> Value {
    context! {
        uid => email.uid.to_string(), to => email.to.as_str(), subject => email.subject.as_str(),
        text => email.text.as_deref().unwrap_or_default(), time => readable(email.time_created),
    }
}
