//! `POST /auth/verifications/redeem`: confirms the caller's address.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Body};
use kernel::Problem;
use serde::Deserialize;

use crate::codes;
use crate::model::Purpose;
use crate::{Caller, Error, Identity, store};

/// The code from the confirmation email.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct ConfirmIn {
    code: String,
}

/// Confirm your email address
///
/// You must be signed in, because the link alone does not confirm the address: it may have been opened by the
/// owner of an address that someone else signed up with.
#[utoipa::path(post, path = "/auth/verifications/redeem", tag = "identity", request_body = ConfirmIn, responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem),
))]
pub async fn redeem_confirmation(
    State(identity): State<Identity>,
    caller: Caller,
    Body(input): Body<ConfirmIn>,
) -> ApiResult<StatusCode> {
    confirm(&identity, caller, &input.code).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn confirm(identity: &Identity, caller: Caller, code: &str) -> Result<(), Error> {
    let person = store::person::by_uid(identity.db.read(), caller.person()).await?.ok_or(Error::SignedOut)?;
    let email = store::person::address(&person)?;
    let tx = identity.db.write_tx_on(store::person::address_lock(&email)).await?;
    let (hash, now) = (codes::hash(code), identity.ambient.now());
    if !store::mailed_code::use_up(&tx, Purpose::Confirmation, &person.email, &hash, now).await? {
        return Err(Error::DeadConfirmation);
    }
    store::person::verify(&tx, person.uid).await?;
    Ok(tx.commit().await?)
}
