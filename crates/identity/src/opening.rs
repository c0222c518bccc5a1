//! Opening a session, and what the proof of an address changes.

use axum::Json;
use axum::response::{IntoResponse, Response};
use db::WriteTx;
use http::header::SET_COOKIE;
use http::{HeaderName, StatusCode};
use kernel::SECOND;
use mail::Letter;

use crate::codes::Purpose;
use crate::model::Person;
use crate::refresh::{App, RefreshToken, set_cookie};
use crate::tokens::ACCESS_LIFE;
use crate::visit::Visit;
use crate::{Error, Identity, SessionOut, store};

/// A session and the cookie that keeps it.
pub struct Opened {
    pub session: SessionOut,
    pub cookie: [(HeaderName, String); 1],
}

impl Opened {
    /// The answer of a call that made the person.
    pub fn created(self) -> Response {
        (StatusCode::CREATED, self).into_response()
    }
}

impl IntoResponse for Opened {
    fn into_response(self) -> Response {
        (self.cookie, Json(self.session)).into_response()
    }
}

/// Opens a session for a person and commits.
pub async fn open(
    identity: &Identity,
    tx: WriteTx,
    (person, is_new): (&Person, bool),
    visit: &Visit,
    app: App,
) -> Result<Opened, Error> {
    let now = identity.ambient.now();
    let session = identity.ambient.uid();
    store::session::insert(&tx, session, person.uid, visit, app, now).await?;
    let access_token = identity.tokens.sign(person.uid, session, now)?;
    tx.commit().await?;
    let refresh = RefreshToken { session, generation: 0 }.encode(&identity.signer);
    Ok(Opened {
        session: SessionOut {
            access_token,
            expires_in: ACCESS_LIFE / SECOND,
            is_new,
            profile: identity.profile(person),
        },
        cookie: [(SET_COOKIE, set_cookie(&identity.public, app, &refresh))],
    })
}

/// Ways in that somebody had made for an address before its owner proved it.
pub struct Dropped {
    /// A password was among them.
    pub password: bool,
}

/// Marks the person's address as proved by another way than the one that signed up. If nobody had proved it before,
/// everything set up until then may be somebody else's doing and is deleted: password, providers, sessions, profile,
/// and what other crates keep in the person's name.
pub async fn prove(identity: &Identity, tx: &WriteTx, person: &mut Person) -> Result<Dropped, Error> {
    if person.is_verified {
        return Ok(Dropped { password: false });
    }
    let now = identity.ambient.now();
    let password = store::password::remove(tx, person.uid).await?;
    store::provider_identity::remove_all(tx, person.uid).await?;
    store::session::end_all(tx, person.uid, now).await?;
    store::mailed_code::kill(tx, Purpose::Confirmation, &person.email, now).await?;
    for data in &identity.person_data {
        data.clear_unproved(tx, person.uid).await?;
    }
    *person = store::person::reset(tx, person.uid).await?;
    Ok(Dropped { password })
}

/// Marks the person's address as proved by the way that signed up, which keeps everything.
pub async fn confirm(identity: &Identity, tx: &WriteTx, person: &mut Person) -> Result<(), Error> {
    store::mailed_code::kill(tx, Purpose::Confirmation, &person.email, identity.ambient.now()).await?;
    store::person::verify(tx, person.uid).await?;
    person.is_verified = true;
    Ok(())
}

/// Tells the owner of an address that the password set before the proof is gone.
pub async fn tell_dropped(identity: &Identity, tx: &WriteTx, person: &Person) -> Result<(), Error> {
    let letter = Letter::PasswordDropped { reset: identity.public.at("/forgot-password") };
    identity.write(tx, &person.email, &letter).await
}
