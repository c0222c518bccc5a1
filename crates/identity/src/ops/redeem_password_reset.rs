//! `POST /auth/password-resets/redeem`: sets a new password.

use axum::extract::State;
use httpkit::{ApiResult, Body};
use kernel::Problem;
use mail::EmailMessage;
use serde::Deserialize;

use crate::client_info::ClientInfo;
use crate::codes;
use crate::model::Purpose;
use crate::refresh::App;
use crate::session_start::{self, NewSession};
use crate::{Error, Identity, SessionOut, store};

/// The code from the reset email and the new password.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct ResetIn {
    code: String,
    password: String,
    /// The app to sign in to; each has its own session.
    #[serde(default)]
    app: App,
}

/// Reset your password
///
/// Sets the new password, ends all existing sessions and opens a new one. A password that is refused does not
/// use up the code.
#[utoipa::path(post, path = "/auth/password-resets/redeem", tag = "identity", request_body = ResetIn, responses(
    (status = 200, body = SessionOut), (status = 400, body = Problem), (status = 429, body = Problem),
    (status = 503, body = Problem),
))]
pub async fn redeem_password_reset(
    State(identity): State<Identity>,
    client: ClientInfo,
    Body(input): Body<ResetIn>,
) -> ApiResult<NewSession> {
    Ok(redeem(&identity, input, &client).await?)
}

async fn redeem(identity: &Identity, input: ResetIn, client: &ClientInfo) -> Result<NewSession, Error> {
    let code = codes::hash(&input.code);
    let row =
        store::mailed_code::find_valid(identity.db.read(), Purpose::Reset, &code, identity.ambient.now());
    let row = row.await?.ok_or(Error::DeadReset)?;
    let email = store::mailed_code::address(&row)?;
    let hash = identity.passwords.check_and_hash(client.ip, &email, input.password).await?;

    let tx = identity.db.write_tx_on(store::person::address_lock(&email)).await?;
    let now = identity.ambient.now();
    if !store::mailed_code::use_up(&tx, Purpose::Reset, email.as_str(), &code, now).await? {
        return Err(Error::DeadReset);
    }
    let mut person = store::person::by_email(&tx, &email).await?.ok_or(Error::DeadReset)?;
    session_start::mark_verified(identity, &tx, &mut person).await?;
    store::session::end_all(&tx, person.uid, now).await?;
    store::mailed_code::invalidate_all(&tx, Purpose::Reset, email.as_str(), now).await?;
    store::password::set(&tx, person.uid, hash, now).await?;
    identity.mailer.enqueue(&tx, &email, &EmailMessage::PasswordChanged).await?;
    identity.login_throttle.clear_account(&tx, &email).await?;
    session_start::open(identity, tx, (&person, false), client, input.app).await
}
