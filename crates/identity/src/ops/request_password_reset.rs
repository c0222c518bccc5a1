//! `POST /auth/password-resets`: sends a link to choose a new password.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Body};
use kernel::{Email, MINUTE, Problem};
use mail::EmailMessage;
use serde::Deserialize;

use crate::codes;
use crate::dto::Accepted;
use crate::model::Purpose;
use crate::{Error, Identity, store};

/// A request for a password reset link.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct PasswordResetRequest {
    email: String,
}

/// Send a password reset link
///
/// The response is the same for known and unknown addresses. The email to an unknown address says that there
/// is no account.
#[utoipa::path(post, path = "/auth/password-resets", tag = "identity", request_body = PasswordResetRequest, responses(
    (status = 202, body = Accepted), (status = 400, body = Problem), (status = 429, body = Problem),
))]
pub async fn request_password_reset(
    State(identity): State<Identity>,
    Body(input): Body<PasswordResetRequest>,
) -> ApiResult<(StatusCode, Json<Accepted>)> {
    let email = Email::parse(&input.email).ok_or(Error::InvalidEmail)?;
    send(&identity, &email).await?;
    Ok((StatusCode::ACCEPTED, Json(Accepted {})))
}

async fn send(identity: &Identity, email: &Email) -> Result<(), Error> {
    let tx = identity.db.write_tx_on(store::person::address_lock(email)).await?;
    // Unknown addresses get a code as well, so that limit and timing are the same. That code is never sent.
    let code = codes::issue(identity, &tx, Purpose::Reset, email).await?;
    let message = if store::person::by_email(&tx, email).await?.is_some() {
        EmailMessage::PasswordReset {
            link: identity.public.at(&format!("/reset-password?code={code}")),
            minutes: Purpose::Reset.lifetime() / MINUTE,
        }
    } else {
        EmailMessage::NoAccount { sign_up: identity.public.at("/sign-up") }
    };
    identity.mailer.enqueue(&tx, email, &message).await?;
    Ok(tx.commit().await?)
}
