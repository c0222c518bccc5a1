//! Proof of who is calling.

use axum::extract::FromRequestParts;
use http::header::AUTHORIZATION;
use http::request::Parts;
use httpkit::ApiError;
use kernel::{PersonId, Problem, SessionId};

use crate::{Identity, store};

/// An access token with a valid signature, issuer, audience and expiry. Its session has not been read yet:
/// [`Caller`] does that, and so does entering an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bearer {
    pub(crate) person: PersonId,
    pub(crate) session: SessionId,
}

impl Bearer {
    /// Returns the person named by the token. Read the session before relying on it.
    pub fn claimed_person(&self) -> PersonId {
        self.person
    }

    /// Returns the session the token was issued for; its row decides whether the token still counts.
    pub fn session(&self) -> SessionId {
        self.session
    }
}

/// A signed-in person, with a session that was read and found valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    person: PersonId,
    session: SessionId,
}

impl Caller {
    /// Returns the person's id.
    pub fn person(&self) -> PersonId {
        self.person
    }

    /// Returns the session's id.
    pub fn session(&self) -> SessionId {
        self.session
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Bearer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let identity = identity(parts)?;
        let token = parts
            .headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "))
            .ok_or_else(Problem::unauthenticated)?;
        identity.tokens.verify(token, identity.ambient.now()).ok_or_else(|| Problem::unauthenticated().into())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let bearer = Bearer::from_request_parts(parts, state).await?;
        let identity = identity(parts)?;
        let is_active = store::session::is_active(
            identity.db.read(),
            bearer.session,
            bearer.person,
            identity.ambient.now(),
        )
        .await?;
        if is_active {
            Ok(Self { person: bearer.person, session: bearer.session })
        } else {
            Err(Problem::unauthenticated().into())
        }
    }
}

/// Returns the handle that the server adds to every request.
fn identity(parts: &Parts) -> Result<&Identity, ApiError> {
    parts.extensions.get::<Identity>().ok_or_else(|| {
        tracing::error!("the identity layer is missing from this route");
        Problem::internal().into()
    })
}
