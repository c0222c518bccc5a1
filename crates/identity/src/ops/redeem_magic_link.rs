//! `POST /auth/magic-links/redeem`: exchanges a magic link for a session.

use axum::extract::State;
use httpkit::{Body, Reply};
use kernel::{Email, Problem};
use serde::Deserialize;

use crate::codes::{self, Purpose};
use crate::opening::{self, Opened};
use crate::refresh::App;
use crate::visit::Visit;
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
    visit: Visit,
    Body(claim): Body<RedeemIn>,
) -> Reply<Opened> {
    Ok(redeem(&identity, &claim, &visit).await?)
}

async fn redeem(identity: &Identity, claim: &RedeemIn, visit: &Visit) -> Result<Opened, Error> {
    let email = Email::parse(&claim.email).ok_or(Error::DeadLink)?;
    let tx = identity.db.write_tx().await?;
    let (hash, now) = (codes::hash(&claim.code), identity.ambient.now());
    if !store::mailed_code::use_up(&tx, Purpose::Link, email.as_str(), &hash, now).await? {
        return Err(Error::DeadLink);
    }
    let opened = open_for(identity, tx, &email, visit, claim.app).await?;
    identity.ladder.forgive(&email);
    Ok(opened)
}

/// Opens a session for the verified owner of an address, creating the person if necessary.
pub async fn open_for(
    identity: &Identity,
    tx: db::WriteTx,
    email: &Email,
    visit: &Visit,
    app: App,
) -> Result<Opened, Error> {
    tx.lock(store::person::address_lock(email)).await?;
    let Some(mut person) = store::person::by_email(&tx, email).await? else {
        let (uid, now) = (identity.ambient.uid(), identity.ambient.now());
        let person = store::person::insert(&tx, uid, email, true, now).await?;
        return opening::open(identity, tx, (&person, true), visit, app).await;
    };
    if opening::prove(identity, &tx, &mut person).await?.password {
        opening::tell_dropped(identity, &tx, &person).await?;
    }
    opening::open(identity, tx, (&person, false), visit, app).await
}
