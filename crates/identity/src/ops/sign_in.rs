//! `POST /auth/sign-in`: signs in with email and password.

use std::net::IpAddr;

use axum::extract::State;
use db::WriteTx;
use httpkit::{ApiResult, Body};
use kernel::{Email, PersonId, Problem};
use tracing::Instrument as _;

use crate::client_info::ClientInfo;
use crate::dto::PasswordIn;
use crate::login_throttle::Attempt;
use crate::passwords::unexpected;
use crate::session_start::{self, NewSession};
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
    client: ClientInfo,
    Body(input): Body<PasswordIn>,
) -> ApiResult<NewSession> {
    Ok(authenticate(&identity, input, &client).await?)
}

async fn authenticate(
    identity: &Identity,
    input: PasswordIn,
    client: &ClientInfo,
) -> Result<NewSession, Error> {
    let email = Email::parse(&input.email).ok_or(Error::WrongPassword)?;
    let check = {
        let (identity, email, ip) = (identity.clone(), email.clone(), client.ip);
        async move { check(&identity, &email, input.password, ip).await }
    };
    // When the client disconnects, the request is dropped; a wrong password counts anyway, because its hash is computed.
    let checked = tokio::spawn(check.in_current_span()).await;
    let Right { attempt, person, hash } = checked.map_err(|error| unexpected(&error))??;
    let tx = identity.db.write_tx_on(store::person::address_lock(&email)).await?;
    // The password may have been changed or removed while the hash was computed.
    if !store::password::matches(&tx, person, &hash).await? {
        return Err(count_wrong(identity, &attempt, tx).await?);
    }
    let person = store::person::by_uid(&tx, person).await?.ok_or(Error::WrongPassword)?;
    attempt.right(&tx).await?;
    session_start::open(identity, tx, (&person, false), client, input.app).await
}

/// A password that was right when it was checked.
struct Right {
    attempt: Attempt,
    person: PersonId,
    hash: String,
}

/// Checks a password, and counts a wrong one.
async fn check(identity: &Identity, email: &Email, password: String, ip: IpAddr) -> Result<Right, Error> {
    let (read, now) = (identity.db.read(), identity.ambient.now());
    let attempt = identity.login_throttle.begin(read, (ip, email), now).await?;
    let stored = store::password::by_email(read, email).await?;
    let hash = stored.as_ref().map(|(_, hash)| hash.clone());
    let is_correct = identity.passwords.verify(ip, password, hash).await?;
    match stored {
        Some((person, hash)) if is_correct => Ok(Right { attempt, person, hash }),
        _ => Err(count_wrong(identity, &attempt, identity.db.write_tx().await?).await?),
    }
}

/// Counts a wrong password and commits the transaction. Returns the response.
async fn count_wrong(identity: &Identity, attempt: &Attempt, tx: WriteTx) -> Result<Error, Error> {
    attempt.wrong(&tx).await?;
    tx.commit().await?;
    identity.login_throttle.limit(&identity.db).await;
    Ok(Error::WrongPassword)
}
