//! The stand-in for Google and Apple: a small, strict OpenID Provider at /sandbox/oidc/{google|apple}, where
//! any name and email can sign in. Each provider has one client and one return address.
//!
//! The differences between the two are reproduced: Apple requires `form_post` if name or email is requested,
//! takes a signed token as the client secret, sends the name only once, and encodes `email_verified` as text.

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

/// Largest form accepted; the values are far smaller.
const BODY_LIMIT: usize = 64 * 1024;

/// The provider that the issuer replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Provider {
    Google,
    Apple,
}

impl Provider {
    /// Its path segment.
    fn path(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Apple => "apple",
        }
    }

    /// Its display name.
    fn name(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Apple => "Apple",
        }
    }

    /// The scopes it supports.
    fn scopes(self) -> &'static [&'static str] {
        match self {
            Self::Google => &["openid", "email", "profile"],
            Self::Apple => &["openid", "email", "name"],
        }
    }
}

/// The issuer's state for the life of the process.
pub(crate) struct OpenId {
    clients: clients::Clients,
    keys: keys::Keys,
    codes: codes::Codes,
}

impl OpenId {
    /// Creates an issuer for these clients. Fails with a sentence that says which part of them is unusable.
    pub(crate) fn new(clients: OpenIdClients) -> Result<Self, String> {
        let clients = clients::Clients::new(clients)?;
        Ok(Self { clients, keys: keys::Keys::default(), codes: codes::Codes::default() })
    }
}

/// One provider of the sandbox, the state of the handlers.
#[derive(Clone)]
struct Issuer {
    sandbox: Sandbox,
    provider: Provider,
}

impl Issuer {
    fn openid(&self) -> &OpenId {
        self.sandbox.openid()
    }

    /// Returns the issuer identifier, which all its addresses start with.
    fn url(&self) -> String {
        self.sandbox.page(&format!("oidc/{}", self.provider.path()))
    }

    /// Returns the only return address.
    fn callback(&self) -> String {
        let origin = self.sandbox.deps().public_url.trim_end_matches('/');
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
