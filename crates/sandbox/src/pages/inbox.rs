//! The inbox: the list, an email, and the email's own HTML for the frame.

use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderName, StatusCode, header};
use httpkit::{Refusal, unexpected};
use kernel::{Email, Uid};
use mail::SentLetter;
use minijinja::context;
use minijinja::value::Value;
use serde::Deserialize;

use super::readable;
use crate::Sandbox;

/// Emails in the list.
const SHOWN: u64 = 100;

/// The filter.
#[derive(Deserialize)]
pub(super) struct Filter {
    #[serde(default)]
    to: String,
}

pub(super) async fn list(State(sandbox): State<Sandbox>, Query(filter): Query<Filter>) -> Response {
    // An invalid address filters nothing; unlike the API, the page is for browsing.
    let to = Email::parse(&filter.to);
    let letters = match sandbox.parts().mailer.sent(to.as_ref(), SHOWN).await {
        Ok(letters) => letters,
        Err(error) => return Refusal(unexpected(&error)).into_response(),
    };
    let letters: Vec<Value> = letters.iter().map(shown).collect();
    let values = context! { letters => letters, to => filter.to.as_str() };
    sandbox.pages().show(StatusCode::OK, "mails.html", "Inbox", values)
}

pub(super) async fn one(State(sandbox): State<Sandbox>, Path(uid): Path<String>) -> Response {
    let letter = match find(&sandbox, &uid).await {
        Ok(letter) => letter,
        Err(response) => return *response,
    };
    let links: Vec<Value> = mail::links_of(&letter.text).into_iter().map(Value::from).collect();
    let values = context! { letter => shown(&letter), links => links };
    sandbox.pages().show(StatusCode::OK, "mail.html", &letter.subject, values)
}

/// Serves the email as a mail client would show it: nothing in it runs, it loads only an organisation's logo
/// from here, and its links leave the frame.
pub(super) async fn html(State(sandbox): State<Sandbox>, Path(uid): Path<String>) -> Response {
    let letter = match find(&sandbox, &uid).await {
        Ok(letter) => letter,
        Err(response) => return *response,
    };
    let html = letter.html.replacen("<head>", "<head><base target=\"_top\">", 1);
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'; frame-ancestors 'self'; \
                  sandbox allow-popups allow-top-navigation-by-user-activation";
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (HeaderName::from_static("cache-control"), "no-store"),
    ];
    (headers, Html(html)).into_response()
}

async fn find(sandbox: &Sandbox, uid: &str) -> Result<SentLetter, Box<Response>> {
    let found = match Uid::parse_str(uid) {
        Ok(uid) => sandbox.parts().mailer.sent_letter(uid).await,
        Err(_) => Ok(None),
    };
    match found {
        Ok(Some(letter)) => Ok(letter),
        Ok(None) => Err(Box::new(sandbox.pages().notice(
            StatusCode::NOT_FOUND,
            "Email not found",
            "It may be older than 7 days.",
            "Go to inbox",
            "/sandbox/mail",
        ))),
        Err(error) => Err(Box::new(Refusal(unexpected(&error)).into_response())),
    }
}

fn shown(letter: &SentLetter) -> Value {
    context! {
        uid => letter.uid.to_string(), to => letter.to.as_str(), subject => letter.subject.as_str(),
        text => letter.text.as_str(), time => readable(letter.time_created),
    }
}
