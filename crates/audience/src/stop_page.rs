//! The unsubscribe page: rendered on the server and without scripts, so it works from any mail program.

use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use kernel::PublicUrl;
use minijinja::{AutoEscape, Environment, context};
use orgs::Organisation;

use crate::news::brand;

/// Form body sent by the button that subscribes again.
pub const AGAIN: &str = "letters=again";

const PAGE: &str = "stop.html";
/// No scripts, nothing from other origins except forms posted to this server.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

/// Content of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Asks for confirmation.
    Asking,
    /// Confirms that the person is unsubscribed.
    Stopped,
    /// Confirms that the person is subscribed again.
    Again,
}

/// The compiled template of the page.
pub struct StopPages(Environment<'static>);

impl StopPages {
    pub fn new() -> Result<Self, minijinja::Error> {
        let mut env = Environment::new();
        env.set_auto_escape_callback(|_| AutoEscape::Html);
        env.add_template(PAGE, include_str!("templates/stop.html"))?;
        Ok(Self(env))
    }

    /// Renders the page of an organisation, or the page for an invalid link if the organisation is gone.
    pub fn page(&self, of: Option<&Organisation>, public: &PublicUrl, shown: Shown) -> Response {
        let Some(organisation) = of else { return self.unknown() };
        let brand = brand(organisation, public);
        let colours = brand.colours();
        let name = brand.name.as_str();
        let title = match shown {
            Shown::Asking => format!("Unsubscribe from {name} emails?"),
            Shown::Stopped => format!("You are unsubscribed from {name} emails"),
            Shown::Again => format!("You are subscribed to {name} emails again"),
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

    /// Renders the page for an invalid link.
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
