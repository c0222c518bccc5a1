//! Opening a session, and what happens when an address is verified.

use axum::Json;
use axum::response::{IntoResponse, Response};
use db::WriteTx;
use http::header::SET_COOKIE;
use http::{HeaderName, StatusCode};
use kernel::{Email, SECOND};
use mail::EmailMessage;

use crate::client_info::ClientInfo;
use crate::model::Person;
use crate::model::Purpose;
use crate::refresh::{App, RefreshToken, set_cookie};
use crate::tokens::ACCESS_LIFETIME;
use crate::{Error, Identity, SessionOut, store};

/// A new session and the cookie that keeps it.
pub struct NewSession {
    pub session: SessionOut,
    pub cookie: [(HeaderName, String); 1],
}

impl NewSession {
    /// Returns the response of a call that created the person.
    pub fn created(self) -> Response {
        (StatusCode::CREATED, self).into_response()
    }
}

impl IntoResponse for NewSession {
    fn into_response(self) -> Response {
        (self.cookie, Json(self.session)).into_response()
    }
}

/// Opens a session for a person and commits the transaction.
pub async fn open(
    identity: &Identity,
    tx: WriteTx,
    (person, is_new): (&Person, bool),
    client: &ClientInfo,
    app: App,
) -> Result<NewSession, Error> {
    let now = identity.ambient.now();
    let session = identity.ambient.uid();
    store::session::insert(&tx, session, person.uid, client, app, now).await?;
    let access_token = identity.tokens.sign(person.uid, session, now)?;
    tx.commit().await?;
    let refresh = RefreshToken { session, generation: 0 }.encode(&identity.signer);
    Ok(NewSession {
        session: SessionOut {
            access_token,
            expires_in: ACCESS_LIFETIME / SECOND,
            is_new,
            profile: identity.profile(person),
        },
        cookie: [(SET_COOKIE, set_cookie(&identity.public, app, Some(&refresh)))],
    })
}

/// Opens a session for the verified owner of an address, creating the person if necessary.
pub async fn open_for_owner(
    identity: &Identity,
    tx: WriteTx,
    email: &Email,
    client: &ClientInfo,
    app: App,
) -> Result<NewSession, Error> {
    tx.lock(store::person::address_lock(email)).await?;
    let Some(mut person) = store::person::by_email(&tx, email).await? else {
        let (uid, now) = (identity.ambient.uid(), identity.ambient.now());
        let person = store::person::insert(&tx, uid, email, true, now).await?;
        return open(identity, tx, (&person, true), client, app).await;
    };
    if mark_verified(identity, &tx, &mut person).await?.password {
        notify_password_removed(identity, &tx, &person).await?;
    }
    open(identity, tx, (&person, false), client, app).await
}

/// Sign-in methods removed because they were set up before the owner verified the address.
pub struct RevokedLogins {
    /// Whether a password was removed.
    pub password: bool,
}

/// Marks the person's address as verified by another method than the one used to sign up. If it was not
/// verified before, everything set up so far may be someone else's work and is deleted: password, providers,
/// sessions, profile, and what other crates store about the person.
pub async fn mark_verified(
    identity: &Identity,
    tx: &WriteTx,
    person: &mut Person,
) -> Result<RevokedLogins, Error> {
    if person.is_verified {
        return Ok(RevokedLogins { password: false });
    }
    let now = identity.ambient.now();
    let password = store::password::remove(tx, person.uid).await?;
    store::provider_identity::remove_all(tx, person.uid).await?;
    store::session::end_all(tx, person.uid, now).await?;
    store::mailed_code::invalidate_all(tx, Purpose::Confirmation, &person.email, now).await?;
    for data in &identity.person_data {
        data.delete_unverified(tx, person.uid).await?;
    }
    *person = store::person::reset(tx, person.uid).await?;
    identity.report_profile(tx, person.uid).await?;
    Ok(RevokedLogins { password })
}

/// Marks the person's address as verified by the method used to sign up, or by a code that the person holds in a
/// session, which keeps everything.
pub async fn confirm(identity: &Identity, tx: &WriteTx, person: &mut Person) -> Result<(), Error> {
    store::mailed_code::invalidate_all(tx, Purpose::Confirmation, &person.email, identity.ambient.now())
        .await?;
    store::person::verify(tx, person.uid).await?;
    person.is_verified = true;
    Ok(())
}

/// Emails the owner of an address that the password set before the verification was removed.
pub async fn notify_password_removed(
    identity: &Identity,
    tx: &WriteTx,
    person: &Person,
) -> Result<(), Error> {
    let message = EmailMessage::PasswordDropped { reset: identity.public.at("/forgot-password") };
    identity.enqueue_email(tx, person, &message).await
}
