//! `POST /auth/verifications`: sends the confirmation email again.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::ApiResult;
use kernel::Problem;

use crate::dto::Accepted;
use crate::{Caller, Error, Identity, confirmation, store};

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
    let email = store::person::address(&person)?;
    let tx = identity.db.write_tx_on(store::person::address_lock(&email)).await?;
    confirmation::send(identity, &tx, &email).await?;
    Ok(tx.commit().await?)
}
