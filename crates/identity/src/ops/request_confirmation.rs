//! `POST /auth/verifications`: sends the confirmation email again.

use axum::Json;
use axum::extract::State;
use db::WriteTx;
use http::StatusCode;
use httpkit::ApiResult;
use kernel::{Email, MINUTE, Problem};
use mail::EmailMessage;

use crate::codes::{self, Purpose};
use crate::ops::request_magic_link::Accepted;
use crate::{Caller, Error, Identity, store};

/// Send the confirmation email again
#[utoipa::path(post, path = "/auth/verifications", tag = "identity", responses(
    (status = 202, body = Accepted), (status = 401, body = Problem), (status = 409, body = Problem),
    (status = 429, body = Problem),
))]
pub async fn request_confirmation(
    State(identity): State<Identity>,
    caller: Caller,
) -> ApiResult<(StatusCode, Json<Accepted>)> {
    resend(&identity, caller).await?;
    Ok((StatusCode::ACCEPTED, Json(Accepted {})))
}

async fn resend(identity: &Identity, caller: Caller) -> Result<(), Error> {
    let person = store::person::by_uid(identity.db.read(), caller.person()).await?;
    let person = person.ok_or(Error::SignedOut)?;
    if person.is_verified {
        return Err(Error::AlreadyConfirmed);
    }
    let email = Email::parse(&person.email).ok_or(Error::InvalidEmail)?;
    let tx = identity.db.write_tx_on(store::person::address_lock(&email)).await?;
    send(identity, &tx, &email).await?;
    Ok(tx.commit().await?)
}

/// Enqueues the confirmation email of a new account, unless the limit is reached: then the account is still
/// created, and its owner can request the email later.
pub async fn send_first(identity: &Identity, tx: &WriteTx, email: &Email) -> Result<(), Error> {
    match send(identity, tx, email).await {
        Err(Error::TooManyEmails(_)) => Ok(()),
        other => other,
    }
}

/// Enqueues the email as part of `tx`, which must hold the address's lock.
async fn send(identity: &Identity, tx: &WriteTx, email: &Email) -> Result<(), Error> {
    let code = codes::issue(identity, tx, Purpose::Confirmation, email).await?;
    let message = EmailMessage::ConfirmAddress {
        link: identity.public.at(&format!("/verify-email?code={code}")),
        minutes: Purpose::Confirmation.lifetime() / MINUTE,
    };
    identity.mailer.enqueue(tx, email, &message).await?;
    Ok(())
}
