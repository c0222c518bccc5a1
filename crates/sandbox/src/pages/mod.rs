//! The pages of the sandbox: HTML rendered by the server, readable at 390 and 1440 px, in light and dark
//! mode. The only script is the one that submits Apple's answer.

mod card;
mod clock;
mod inbox;
mod pay;
mod portal;
mod portal_actions;

use axum::Router;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use http::StatusCode;
use httpkit::{ApiError, unexpected};
use kernel::{PRODUCT, Timestamp, iso};
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};

use crate::Sandbox;

/// The templates, compiled once.
pub(crate) struct Pages(Environment<'static>);

impl Pages {
    pub(crate) fn new() -> Result<Self, minijinja::Error> {
        let mut env = Environment::new();
        env.set_undefined_behavior(UndefinedBehavior::Strict);
        env.set_auto_escape_callback(|_| AutoEscape::Html);
        for (name, source) in [
            ("base.html", include_str!("../templates/base.html")),
            ("mails.html", include_str!("../templates/mails.html")),
            ("mail.html", include_str!("../templates/mail.html")),
            ("pay.html", include_str!("../templates/pay.html")),
            ("card_fields.html", include_str!("../templates/card_fields.html")),
            ("notice.html", include_str!("../templates/notice.html")),
            ("portal.html", include_str!("../templates/portal.html")),
            ("clock.html", include_str!("../templates/clock.html")),
            ("oidc_sign_in.html", include_str!("../templates/oidc_sign_in.html")),
            ("oidc_answer.html", include_str!("../templates/oidc_answer.html")),
        ] {
            env.add_template(name, source)?;
        }
        Ok(Self(env))
    }

    /// Renders a page with the given title and values.
    pub(crate) fn render(&self, status: StatusCode, template: &str, title: &str, values: Value) -> Response {
        let values = context! { product => PRODUCT, title => title, ..values };
        match self.0.get_template(template).and_then(|template| template.render(values)) {
            Ok(html) => (status, [("Cache-Control", "no-store")], Html(html)).into_response(),
            Err(error) => ApiError(unexpected(&error)).into_response(),
        }
    }

    /// Renders a page with one sentence and one link.
    pub(crate) fn notice(
        &self,
        status: StatusCode,
        title: &str,
        message: &str,
        action: &str,
        target: &str,
    ) -> Response {
        let values = context! { message => message, action => action, target => target };
        self.render(status, "notice.html", title, values)
    }
}

pub(crate) fn routes(sandbox: Sandbox) -> Router {
    Router::new()
        .route("/sandbox", get(|| async { Redirect::to("/sandbox/mail") }))
        .route("/sandbox/mail", get(inbox::list))
        .route("/sandbox/mail/{uid}", get(inbox::one))
        .route("/sandbox/mail/{uid}/html", get(inbox::html))
        .route("/sandbox/pay/{session}", get(pay::show).post(pay::submit))
        .route("/sandbox/portal/{session}", get(portal::show).post(portal_actions::submit))
        .route("/sandbox/clock", get(clock::show).post(clock::submit))
        .with_state(sandbox)
}

/// Formats a time for people: `2026-11-20 06:54:00 UTC`.
fn readable(at: Timestamp) -> String {
    let text = iso(at);
    text.get(..19).map_or_else(|| text.clone(), |part| format!("{} UTC", part.replace('T', " ")))
}

/// Formats a day: `2026-11-20`.
fn day(seconds: i64) -> String {
    iso(Timestamp::from_seconds(seconds)).chars().take(10).collect()
}
