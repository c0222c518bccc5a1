//! The unsubscribe page: rendered on the server and without scripts, so it works from any mail program.

use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use kernel::PublicUrl;
use minijinja::{AutoEscape, Environment, context};
use orgs::Organisation;

/// Form body sent by the button that subscribes again.
pub const UNDO: &str = "unsubscribe=undo";

const TEMPLATE: &str = "unsubscribe.html";
/// No scripts, nothing from other origins except forms posted to this server.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

/// Which emails the page is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageEmails {
    /// What the emails are called, such as "Acme emails".
    pub name: String,
    /// What a person who unsubscribes no longer gets.
    pub without: &'static str,
    /// What a person who subscribes again gets.
    pub again: &'static str,
}

impl PageEmails {
    pub(crate) fn announcements(organisation: Option<&Organisation>) -> Self {
        Self {
            name: format!("{} emails", organisation.map_or("", |organisation| &organisation.name)),
            without: "You will no longer get emails about new content. Your account and everything you can watch \
                stay the same.",
            again: "You will get an email when there is something new.",
        }
    }
}

/// Content of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageState {
    /// Asks for confirmation.
    Confirm,
    /// Confirms that the person is unsubscribed.
    Unsubscribed,
    /// Confirms that the person is subscribed again.
    Resubscribed,
}

/// The compiled template of the page.
pub struct UnsubscribePage(Environment<'static>);

impl UnsubscribePage {
    /// Compiles the template.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn new() -> Result<Self, minijinja::Error> {
        let mut env = Environment::new();
        env.set_auto_escape_callback(|_| AutoEscape::Html);
        env.add_template(TEMPLATE, include_str!("templates/unsubscribe.html"))?;
        Ok(Self(env))
    }

    /// Renders the page of an organisation, or the page for an invalid link if the organisation is gone.
    pub fn render(
        &self,
        of: Option<&Organisation>,
        public: &PublicUrl,
        emails: &PageEmails,
        state: PageState,
    ) -> Response {
        let Some(organisation) = of else { return self.invalid_link() };
        let brand = orgs::brand(organisation, public);
        let colours = brand.colours();
        let name = emails.name.as_str();
        let title = match state {
            PageState::Confirm => format!("Unsubscribe from {name}?"),
            PageState::Unsubscribed => format!("You are unsubscribed from {name}"),
            PageState::Resubscribed => format!("You are subscribed to {name} again"),
        };
        self.respond(
            StatusCode::OK,
            context! {
                title, valid_link => true, confirm => state == PageState::Confirm,
                unsubscribed => state == PageState::Unsubscribed, organisation => brand.name.as_str(),
                without => emails.without, again => emails.again,
                logo => organisation.logo.as_deref(), background => colours.background,
                on_background => colours.text, button => colours.button, on_button => colours.on_button,
                edge => colours.edge,
            },
        )
    }

    /// Renders the page for an invalid link.
    pub fn invalid_link(&self) -> Response {
        self.respond(
            StatusCode::NOT_FOUND,
            context! { title => "This link is not valid", valid_link => false },
        )
    }

    fn respond(&self, status: StatusCode, values: minijinja::Value) -> Response {
        let values = context! { product => kernel::PRODUCT, ..values };
        let html = match self.0.get_template(TEMPLATE).and_then(|page| page.render(values)) {
            Ok(html) => html,
            Err(error) => return httpkit::ApiError(httpkit::unexpected(&error)).into_response(),
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
