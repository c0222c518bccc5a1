//! The proof of who calls.

use axum::extract::FromRequestParts;
use http::header::AUTHORIZATION;
use http::request::Parts;
use httpkit::Refusal;
use kernel::{Problem, Uid};

use crate::{Identity, store};

/// A token whose signature, issuer, audience and time hold. Whether its session still lives is not known
/// yet: [`Caller`] reads it, and so does whoever enters an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bearer {
    pub(crate) person: Uid,
    pub(crate) session: Uid,
}

impl Bearer {
    /// The person the token names. Not yet a proof: read the session first.
    pub fn claimed_person(&self) -> Uid {
        self.person
    }

    /// The session the token was made for; its row must be read before the token counts.
    pub fn session(&self) -> Uid {
        self.session
    }
}

/// A person who is signed in right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    person: Uid,
    session: Uid,
}

impl Caller {
    /// The person.
    pub fn person(&self) -> Uid {
        self.person
    }

    /// The person's session.
    pub fn session(&self) -> Uid {
        self.session
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Bearer {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
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
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let bearer = Bearer::from_request_parts(parts, state).await?;
        let identity = identity(parts)?;
        let lives =
            store::session::lives(identity.db.read(), bearer.session, bearer.person, identity.ambient.now())
                .await?;
        if lives {
            Ok(Self { person: bearer.person, session: bearer.session })
        } else {
            Err(Problem::unauthenticated().into())
        }
    }
}

/// The handle the server put into every request.
fn identity(parts: &Parts) -> Result<&Identity, Refusal> {
    parts.extensions.get::<Identity>().ok_or_else(|| {
        tracing::error!("the identity layer is missing from this route");
        Problem::internal().into()
    })
}
