//! `POST /auth/magic-links/redeem`: exchanges a magic link for a session.

use axum::extract::State;
use httpkit::{ApiResult, Body};
use kernel::{Email, Problem};
use serde::Deserialize;

use crate::client_info::ClientInfo;
use crate::codes;
use crate::model::Purpose;
use crate::refresh::App;
use crate::session_start::{self, NewSession};
use crate::{Error, Identity, SessionOut, store};

/// The code of a magic link and the address it was sent to.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct RedeemIn {
    email: String,
    code: String,
    /// The app to sign in to; each has its own session.
    #[serde(default)]
    app: App,
}

/// Sign in with a magic link
///
/// The code can be used once, within ten minutes. Opening the link does not use it up.
#[utoipa::path(post, path = "/auth/magic-links/redeem", tag = "identity", request_body = RedeemIn, responses(
    (status = 200, body = SessionOut), (status = 400, body = Problem), (status = 429, body = Problem),
))]
pub async fn redeem_magic_link(
    State(identity): State<Identity>,
    client: ClientInfo,
    Body(input): Body<RedeemIn>,
) -> ApiResult<NewSession> {
    Ok(redeem(&identity, &input, &client).await?)
}

async fn redeem(identity: &Identity, input: &RedeemIn, client: &ClientInfo) -> Result<NewSession, Error> {
    let email = Email::parse(&input.email).ok_or(Error::DeadLink)?;
    let tx = identity.db.write_tx().await?;
    let (hash, now) = (codes::hash(&input.code), identity.ambient.now());
    if !store::mailed_code::use_up(&tx, Purpose::Link, email.as_str(), &hash, now).await? {
        return Err(Error::DeadLink);
    }
    identity.login_throttle.clear_account(&tx, &email).await?;
    session_start::open_for_owner(identity, tx, &email, client, input.app).await
}
