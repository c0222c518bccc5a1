//! `POST /auth/password-resets`: sends a link to choose a new password.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{Body, Reply};
use kernel::{Email, MINUTE, Problem};
use mail::Letter;
use serde::Deserialize;

use crate::codes::{self, Purpose};
use crate::ops::request_magic_link::Accepted;
use crate::{Error, Identity, store};

/// A request for a password reset link.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct ResetWish {
    email: String,
}

/// Send a password reset link
///
/// The response is the same for known and unknown addresses. The email to an unknown address says that there
/// is no account.
#[utoipa::path(post, path = "/auth/password-resets", tag = "identity", request_body = ResetWish, responses(
    (status = 202, body = Accepted), (status = 400, body = Problem), (status = 429, body = Problem),
))]
pub async fn request_password_reset(
    State(identity): State<Identity>,
    Body(wish): Body<ResetWish>,
) -> Reply<(StatusCode, Json<Accepted>)> {
    let email = Email::parse(&wish.email).ok_or(Error::InvalidEmail)?;
    send(&identity, &email).await?;
    Ok((StatusCode::ACCEPTED, Json(Accepted {})))
}

async fn send(identity: &Identity, email: &Email) -> Result<(), Error> {
    let tx = identity.db.write_tx_on(store::person::address_lock(email)).await?;
    // Unknown addresses get a code as well, so that limit and timing are the same. That code is never sent.
    let code = codes::issue(identity, &tx, Purpose::Reset, email).await?;
    let letter = if store::person::by_email(&tx, email).await?.is_some() {
        Letter::PasswordReset {
            link: identity.public.at(&format!("/reset-password?code={code}")),
            minutes: Purpose::Reset.life() / MINUTE,
        }
    } else {
        Letter::NoAccount { sign_up: identity.public.at("/sign-up") }
    };
    identity.mailer.enqueue(&tx, email, &letter).await?;
    Ok(tx.commit().await?)
}
