//! The page at which letters are stopped: made here, without scripts, so that it opens from any mail program.

use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use kernel::PublicUrl;
use minijinja::{AutoEscape, Environment, context};
use orgs::Organisation;

use crate::news::brand;

/// What the button sends that begins the letters again.
pub const AGAIN: &str = "letters=again";

const PAGE: &str = "stop.html";
/// No script, nothing from elsewhere; the form comes back here.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

/// What the page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Whether to stop.
    Asking,
    /// That they have stopped.
    Stopped,
    /// That they come again.
    Again,
}

/// The page's template, compiled once.
pub struct StopPages(Environment<'static>);

impl StopPages {
    pub fn new() -> Result<Self, minijinja::Error> {
        let mut env = Environment::new();
        env.set_auto_escape_callback(|_| AutoEscape::Html);
        env.add_template(PAGE, include_str!("templates/stop.html"))?;
        Ok(Self(env))
    }

    /// The page of an organisation; of one that is gone there is nothing to say.
    pub fn page(&self, of: Option<&Organisation>, public: &PublicUrl, shown: Shown) -> Response {
        let Some(organisation) = of else { return self.unknown() };
        let brand = brand(organisation, public);
        let colours = brand.colours();
        let name = brand.name.as_str();
        let title = match shown {
            Shown::Asking => format!("Stop e-mails from {name}?"),
            Shown::Stopped => format!("You get no more e-mails from {name}"),
            Shown::Again => format!("You get e-mails from {name} again"),
        };
        self.answer(
            StatusCode::OK,
            context! {
                title, known => true, asking => shown == Shown::Asking, stopped => shown == Shown::Stopped,
                organisation => name, logo => organisation.logo.as_str(), background => colours.background,
                on_background => colours.text, button => colours.button, on_button => colours.on_button,
                edge => colours.edge,
            },
        )
    }

    /// The page of a link that is none of ours.
    pub fn unknown(&self) -> Response {
        self.answer(StatusCode::NOT_FOUND, context! { title => "This link is not valid", known => false })
    }

    fn answer(&self, status: StatusCode, values: minijinja::Value) -> Response {
        let values = context! { product => kernel::PRODUCT, ..values };
        let html = match self.0.get_template(PAGE).and_then(|page| page.render(values)) {
            Ok(html) => html,
            Err(error) => return httpkit::Refusal(httpkit::unexpected(&error)).into_response(),
        };
        let headers = [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CACHE_CONTROL, "no-store"),
            (REFERRER_POLICY, "no-referrer"),
            (CONTENT_SECURITY_POLICY, POLICY),
        ];
        (status, headers, html).into_response()
    }
}
