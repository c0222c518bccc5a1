//! `POST /auth/magic-links/redeem-code`: exchanges the digits of an email for a session.

use axum::extract::State;
use http::HeaderMap;
use httpkit::{ApiResult, Body};
use kernel::{Email, Problem};
use serde::Deserialize;

use crate::client_info::ClientInfo;
use crate::codes::DIGIT_TRIES;
use crate::model::Purpose;
use crate::refresh::App;
use crate::session_start::{NewSession, open_for_owner};
use crate::{Error, Identity, SessionOut, asking_browser, codes, store};

/// The address an email was sent to, and the six digits in it.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct DigitsIn {
    email: String,
    /// Six digits; spaces are ignored.
    code: String,
    /// The app to sign in to; each has its own session.
    #[serde(default)]
    app: App,
}

/// Sign in with the code in an email
///
/// The six digits are in the email of a magic link. They work once, within ten minutes, for five tries, and only in
/// the browser that asked for the email. Using them uses up the link, and using the link uses up the digits.
#[utoipa::path(post, path = "/auth/magic-links/redeem-code", tag = "identity", request_body = DigitsIn, responses(
    (status = 200, body = SessionOut), (status = 400, body = Problem), (status = 429, body = Problem),
))]
pub async fn redeem_emailed_digits(
    State(identity): State<Identity>,
    client: ClientInfo,
    headers: HeaderMap,
    Body(input): Body<DigitsIn>,
) -> ApiResult<NewSession> {
    let browser = asking_browser::token_of(&identity.public, &headers).ok_or(Error::DeadDigits)?;
    Ok(redeem(&identity, &input, &browser, &client).await?)
}

async fn redeem(
    identity: &Identity,
    input: &DigitsIn,
    browser: &str,
    client: &ClientInfo,
) -> Result<NewSession, Error> {
    let email = Email::parse(&input.email).ok_or(Error::DeadDigits)?;
    let (browser_hash, now) = (codes::hash(browser), identity.ambient.now());
    let read = identity.db.read();
    if store::mailed_code::with_digits(read, &email, &browser_hash, DIGIT_TRIES, now).await?.is_empty() {
        return Err(Error::DeadDigits);
    }
    let attempt = identity.digit_throttle.begin(read, (client.ip, &email), now).await?;
    let tx = identity.db.write_tx_on(store::person::address_lock(&email)).await?;
    let links = store::mailed_code::with_digits(&tx, &email, &browser_hash, DIGIT_TRIES, now).await?;
    let digits: String = input.code.split_whitespace().collect();
    let right = links.iter().find(|link| codes::has_digits(identity, link, &digits, browser, &email));
    let Some(link) = right else {
        store::mailed_code::count_wrong_digits(&tx, &links).await?;
        attempt.wrong(&tx).await?;
        tx.commit().await?;
        identity.digit_throttle.limit(&identity.db).await;
        let more = links.iter().any(|link| link.wrong_digits + 1 < DIGIT_TRIES);
        return Err(if more { Error::WrongDigits } else { Error::DeadDigits });
    };
    if !store::mailed_code::use_up(&tx, Purpose::Link, email.as_str(), &link.code_hash, now).await? {
        return Err(Error::DeadDigits);
    }
    attempt.right(&tx).await?;
    identity.login_throttle.clear_account(&tx, &email).await?;
    open_for_owner(identity, tx, &email, client, input.app).await
}
