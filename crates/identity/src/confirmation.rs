//! The email that asks the owner of an address to confirm it.

use db::WriteTx;
use kernel::{Email, MINUTE};
use mail::EmailMessage;

use crate::codes;
use crate::model::Purpose;
use crate::{Error, Identity};

/// Enqueues the confirmation email of a new account, unless the limit is reached: then the account is still
/// created, and its owner can request the email later.
pub async fn send_first(identity: &Identity, tx: &WriteTx, email: &Email) -> Result<(), Error> {
    match send(identity, tx, email).await {
        Err(Error::TooManyEmails(_)) => Ok(()),
        other => other,
    }
}

/// Enqueues the email as part of `tx`, which must hold the address's lock.
pub async fn send(identity: &Identity, tx: &WriteTx, email: &Email) -> Result<(), Error> {
    let code = codes::issue(identity, tx, Purpose::Confirmation, email).await?;
    let message = EmailMessage::ConfirmAddress {
        link: identity.public.at(&format!("/verify-email?code={code}")),
        minutes: Purpose::Confirmation.lifetime() / MINUTE,
    };
    identity.mailer.enqueue(tx, email, &message).await?;
    Ok(())
}
