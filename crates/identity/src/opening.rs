//! Opening a session, and what happens when an address is verified.

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

/// A new session and the cookie that keeps it.
pub struct Opened {
    pub session: SessionOut,
    pub cookie: [(HeaderName, String); 1],
}

impl Opened {
    /// Returns the response of a call that created the person.
    pub fn created(self) -> Response {
        (StatusCode::CREATED, self).into_response()
    }
}

impl IntoResponse for Opened {
    fn into_response(self) -> Response {
        (self.cookie, Json(self.session)).into_response()
    }
}

/// Opens a session for a person and commits the transaction.
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

/// Sign-in methods removed because they were set up before the owner verified the address.
pub struct Dropped {
    /// Whether a password was removed.
    pub password: bool,
}

/// Marks the person's address as verified by another method than the one used to sign up. If it was not
/// verified before, everything set up so far may be someone else's work and is deleted: password, providers,
/// sessions, profile, and what other crates store about the person.
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

/// Marks the person's address as verified by the method used to sign up, which keeps everything.
pub async fn confirm(identity: &Identity, tx: &WriteTx, person: &mut Person) -> Result<(), Error> {
    store::mailed_code::kill(tx, Purpose::Confirmation, &person.email, identity.ambient.now()).await?;
    store::person::verify(tx, person.uid).await?;
    person.is_verified = true;
    Ok(())
}

/// Emails the owner of an address that the password set before the verification was removed.
pub async fn tell_dropped(identity: &Identity, tx: &WriteTx, person: &Person) -> Result<(), Error> {
    let letter = Letter::PasswordDropped { reset: identity.public.at("/forgot-password") };
    identity.write(tx, &person.email, &letter).await
}
