//! `POST /auth/sign-in`: e-mail and password (rules 5.1, S-44).

use axum::extract::State;
use httpkit::{Body, Reply};
use kernel::{Email, Problem};

use crate::opening::{self, Opened};
use crate::ops::sign_up::PasswordIn;
use crate::visit::Visit;
use crate::{Error, Identity, SessionOut, store};

/// Signs in with a password. A wrong pair and an unknown address are the same to the caller, in words and in time;
/// who keeps trying waits longer each time. After a hundred wrong passwords in an hour an account takes a mailed link
/// only, until one was used or the hour is over.
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
    // While the hash was computed the password may have been changed, or dropped.
    if !store::password::is(&tx, person, &hash).await? {
        return Err(Error::WrongPassword);
    }
    let person = store::person::by_uid(&tx, person).await?.ok_or(Error::WrongPassword)?;
    let opened = opening::open(identity, tx, (&person, false), visit, claim.app).await?;
    identity.ladder.descend(visit.origin, &email, true);
    Ok(opened)
}
