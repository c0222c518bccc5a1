//! `POST /auth/magic-links/redeem`: turns a link into a session (rules 5.1, S-44).

use axum::Json;
use axum::extract::State;
use http::header::{SET_COOKIE, USER_AGENT};
use http::{HeaderMap, HeaderName};
use httpkit::{Body, Reply};
use kernel::{Email, Problem, SECOND};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::refresh::{App, RefreshToken, set_cookie};
use crate::tokens::ACCESS_LIFE;
use crate::{Error, Identity, SessionOut, store};

/// A link's code and the address it was sent to.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct RedeemIn {
    email: String,
    code: String,
    /// The app that signs in; each keeps its own session.
    #[serde(default)]
    app: App,
}

/// A session and the cookie that keeps it.
pub struct Opened {
    pub session: SessionOut,
    pub cookie: [(HeaderName, String); 1],
}

/// Signs in with a magic link. Opening the link alone uses nothing up; only this call does.
#[utoipa::path(post, path = "/auth/magic-links/redeem", tag = "identity", request_body = RedeemIn, responses(
    (status = 200, body = SessionOut), (status = 400, body = Problem),
))]
pub async fn redeem_magic_link(
    State(identity): State<Identity>,
    headers: HeaderMap,
    Body(claim): Body<RedeemIn>,
) -> Reply<([(HeaderName, String); 1], Json<SessionOut>)> {
    let email = Email::parse(&claim.email).ok_or(Error::DeadLink)?;
    let hash = Sha256::digest(&claim.code);
    let tx = identity.db.write_tx().await.map_err(Error::from)?;
    let now = identity.ambient.now();
    if !store::magic_link::use_up(&tx, &email, &hash, now).await.map_err(Error::from)? {
        return Err(Error::DeadLink.into());
    }
    let opened = open_in(&identity, tx, &email, &device(&headers), claim.app).await?;
    Ok((opened.cookie, Json(opened.session)))
}

/// Opens a session for the owner of a proved address, in a transaction of its own.
pub async fn open_session(identity: &Identity, email: &Email, device: &str) -> Result<Opened, Error> {
    let tx = identity.db.write_tx().await?;
    open_in(identity, tx, email, device, App::Portal).await
}

/// Opens a session for the owner of a proved address; a person nobody knew yet is made on the spot.
async fn open_in(
    identity: &Identity,
    tx: db::WriteTx,
    email: &Email,
    device: &str,
    app: App,
) -> Result<Opened, Error> {
    tx.lock(store::person::address_lock(email)).await?;
    let now = identity.ambient.now();
    let known = store::person::by_email(&tx, email).await?;
    let is_new = known.is_none();
    let person = match known {
        Some(person) => person,
        None => store::person::insert(&tx, identity.ambient.uid(), email, now).await?,
    };
    let session = identity.ambient.uid();
    store::session::insert(&tx, session, person.uid, device, now).await?;
    let access_token = identity.tokens.sign(person.uid, session, now)?;
    tx.commit().await?;
    let refresh = RefreshToken { session, generation: 0 }.encode(&identity.signer);
    Ok(Opened {
        session: SessionOut {
            access_token,
            expires_in: ACCESS_LIFE / SECOND,
            is_new,
            profile: identity.profile(&person),
        },
        cookie: [(SET_COOKIE, set_cookie(&identity.public, app, &refresh))],
    })
}

/// What the browser calls itself, for the list of sessions.
pub fn device(headers: &HeaderMap) -> String {
    let agent = headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    agent.chars().take(200).collect()
}
