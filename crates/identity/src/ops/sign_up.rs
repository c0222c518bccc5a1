//! `POST /auth/sign-up`: creates an account with email and password.

use axum::extract::State;
use axum::response::Response;
use httpkit::{ApiResult, Body};
use kernel::{Email, Problem};

use crate::client_info::ClientInfo;
use crate::dto::PasswordIn;
use crate::session_start::{self, NewSession};
use crate::{Error, Identity, SessionOut, confirmation, store};

/// Create an account with a password
///
/// Signs in and sends a confirmation email. The address is unverified until its owner confirms it, or signs
/// in by a method that verifies it.
#[utoipa::path(post, path = "/auth/sign-up", tag = "identity", request_body = PasswordIn, responses(
    (status = 201, body = SessionOut), (status = 400, body = Problem), (status = 409, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem),
))]
pub async fn sign_up(
    State(identity): State<Identity>,
    client: ClientInfo,
    Body(input): Body<PasswordIn>,
) -> ApiResult<Response> {
    Ok(create_account(&identity, input, &client).await?.created())
}

async fn create_account(
    identity: &Identity,
    input: PasswordIn,
    client: &ClientInfo,
) -> Result<NewSession, Error> {
    let email = Email::parse(&input.email).ok_or(Error::InvalidEmail)?;
    let hash = identity.passwords.check_and_hash(client.ip, &email, input.password).await?;
    let tx = identity.db.write_tx_on(store::person::address_lock(&email)).await?;
    if store::person::by_email(&tx, &email).await?.is_some() {
        return Err(Error::EmailInUse);
    }
    let (uid, now) = (identity.ambient.uid(), identity.ambient.now());
    let person = store::person::insert(&tx, uid, &email, false, now).await?;
    store::password::set(&tx, uid, hash, now).await?;
    confirmation::send_first(identity, &tx, &email).await?;
    session_start::open(identity, tx, (&person, true), client, input.app).await
}
