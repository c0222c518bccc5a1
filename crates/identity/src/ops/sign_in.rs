//! `POST /auth/sign-in`: signs in with email and password.

use axum::extract::State;
use httpkit::{Body, Reply};
use kernel::{Email, Problem};

use crate::opening::{self, Opened};
use crate::ops::sign_up::PasswordIn;
use crate::visit::Visit;
use crate::{Error, Identity, SessionOut, store};

/// Sign in with a password
///
/// A wrong password and an unknown address give the same response in the same time. Repeated attempts have to
/// wait longer each time. After a hundred wrong passwords in an hour, an account requires a magic link until
/// one is used or the hour is over.
#[utoipa::path(post, path = "/auth/sign-in", tag = "identity", request_body = PasswordIn, responses(
    (status = 200, body = SessionOut), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem),
    (status = 503, body = Problem),
))]
pub async fn sign_in(
    State(identity): State<Identity>,
    visit: Visit,
    Body(claim): Body<PasswordIn>,
) -> Reply<Opened> {
    Ok(enter(&identity, claim, &visit).await?)
}

async fn enter(identity: &Identity, claim: PasswordIn, visit: &Visit) -> Result<Opened, Error> {
    let email = Email::parse(&claim.email).ok_or(Error::WrongPassword)?;
    identity.ladder.climb(visit.origin, &email, identity.ambient.now())?;
    let known = store::password::by_email(identity.db.read(), &email).await?;
    let hash = known.as_ref().map(|(_, hash)| hash.clone());
    let fits = identity.passwords.verify(visit.origin, claim.password, hash).await.inspect_err(|_| {
        identity.ladder.descend(visit.origin, &email, false);
    })?;
    if !fits {
        return Err(Error::WrongPassword);
    }
    let Some((person, hash)) = known else { return Err(Error::WrongPassword) };
    let tx = identity.db.write_tx_on(store::person::address_lock(&email)).await?;
    // The password may have been changed or removed while the hash was computed.
    if !store::password::is(&tx, person, &hash).await? {
        return Err(Error::WrongPassword);
    }
    let person = store::person::by_uid(&tx, person).await?.ok_or(Error::WrongPassword)?;
    let opened = opening::open(identity, tx, (&person, false), visit, claim.app).await?;
    identity.ladder.descend(visit.origin, &email, true);
    Ok(opened)
}
