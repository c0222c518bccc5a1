//! The stand-in for Google and Apple: a small, strict OpenID Provider at /sandbox/oidc/{google|apple}, where
//! any name and e-mail can sign in (rules 5.2). Each provider knows one client and one address to return to.
//!
//! What the two really do apart is kept: Apple demands form_post when name or e-mail is asked for, takes a
//! signed token as client secret, hands the name over once, and writes `email_verified` as text.

mod answer;
mod authorize;
mod clients;
mod codes;
mod discovery;
mod keys;
mod person;
mod request;
mod token;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

pub use clients::{AppleClient, GoogleClient, OpenIdClients};

use crate::Sandbox;

/// The largest form taken: each of its values is far shorter.
const BODY_LIMIT: usize = 64 * 1024;

/// Whom the issuer stands in for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Provider {
    Google,
    Apple,
}

impl Provider {
    /// Its part of the address.
    fn path(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Apple => "apple",
        }
    }

    /// Its name for people.
    fn name(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Apple => "Apple",
        }
    }

    /// What may be asked for.
    fn scopes(self) -> &'static [&'static str] {
        match self {
            Self::Google => &["openid", "email", "profile"],
            Self::Apple => &["openid", "email", "name"],
        }
    }
}

/// What the issuer holds while the process runs.
pub(crate) struct OpenId {
    clients: clients::Clients,
    keys: keys::Keys,
    codes: codes::Codes,
}

impl OpenId {
    /// An issuer for these clients.
    ///
    /// # Errors
    /// A sentence saying which part of them cannot be used.
    pub(crate) fn new(clients: OpenIdClients) -> Result<Self, String> {
        let clients = clients::Clients::new(clients)?;
        Ok(Self { clients, keys: keys::Keys::default(), codes: codes::Codes::default() })
    }
}

/// One provider of the sandbox: what each handler works on.
#[derive(Clone)]
struct Issuer {
    sandbox: Sandbox,
    provider: Provider,
}

impl Issuer {
    fn openid(&self) -> &OpenId {
        self.sandbox.openid()
    }

    /// The issuer's name, which is the address everything of it lies below.
    fn url(&self) -> String {
        self.sandbox.page(&format!("oidc/{}", self.provider.path()))
    }

    /// The one address people are sent back to.
    fn callback(&self) -> String {
        let origin = self.sandbox.parts().public_url.trim_end_matches('/');
        format!("{origin}/v1/auth/oidc/{}/callback", self.provider.path())
    }

    fn client_id(&self) -> &str {
        self.openid().clients.id(self.provider)
    }
}

pub(crate) fn routes(sandbox: &Sandbox) -> Router {
    let mut router = Router::new().route(answer::SCRIPT, get(answer::script));
    for provider in [Provider::Google, Provider::Apple] {
        let own = Router::new()
            .route("/.well-known/openid-configuration", get(discovery::configuration))
            .route("/jwks.json", get(discovery::public_keys))
            .route("/authorize", get(authorize::show).post(authorize::submit))
            .route("/token", post(token::exchange))
            .with_state(Issuer { sandbox: sandbox.clone(), provider });
        router = router.nest(&format!("/sandbox/oidc/{}", provider.path()), own);
    }
    router.layer(DefaultBodyLimit::max(BODY_LIMIT))
}
