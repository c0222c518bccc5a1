//! `POST /auth/refresh`: a new access token for the cookie's session (rules 5.1, R-07).

use axum::Json;
use axum::extract::State;
use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderName};
use httpkit::{Query, Reply};
use kernel::{Problem, SECOND};
use serde::Deserialize;

use crate::refresh::{App, RefreshToken, Spent, set_cookie, token_of};
use crate::tokens::ACCESS_LIFE;
use crate::visit::Visit;
use crate::{Error, Identity, SessionOut, store};

/// Whose session.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RefreshQuery {
    /// portal (default) or viewer.
    #[serde(default)]
    #[param(inline)]
    app: App,
}

/// Renews the session. Any number of tabs may do so at once: within ten seconds the same old token always
/// leads to the same successor; later its use ends the session. A successor that has been spent meanwhile is not set
/// as a cookie again: the browser has a newer one.
#[utoipa::path(post, path = "/auth/refresh", tag = "identity", params(RefreshQuery), responses(
    (status = 200, body = SessionOut), (status = 401, body = Problem),
))]
pub async fn refresh_session(
    State(identity): State<Identity>,
    Query(query): Query<RefreshQuery>,
    visit: Visit,
    headers: HeaderMap,
) -> Reply<(Option<[(HeaderName, String); 1]>, Json<SessionOut>)> {
    let token = token_of(&identity.public, &identity.signer, query.app, &headers).ok_or(Error::SignedOut)?;
    let (successor, session) = refresh(&identity, token, query.app, &visit).await?;
    let cookie =
        successor.map(|token| set_cookie(&identity.public, query.app, &token.encode(&identity.signer)));
    Ok((cookie.map(|cookie| [(SET_COOKIE, cookie)]), Json(session)))
}

/// Returns the successor, unless it was spent meanwhile, and the session.
async fn refresh(
    identity: &Identity,
    token: RefreshToken,
    app: App,
    visit: &Visit,
) -> Result<(Option<RefreshToken>, SessionOut), Error> {
    let now = identity.ambient.now();
    let tx = identity.db.write_tx_on(token.session).await?;
    let row = store::session::by_uid(&tx, token.session, now).await?.ok_or(Error::SignedOut)?;
    if row.app != app.as_str() {
        return Err(Error::SignedOut);
    }
    let spent = Spent::read(row.spent);
    let is_living = token.generation == row.generation;
    if is_living {
        store::session::rotate(&tx, row.uid, row.generation, &spent.with(now), &visit.place, now).await?;
    } else if !spent.honours(token.generation, row.generation, now) {
        // A token spent long ago is in somebody else's hands.
        store::session::end(&tx, row.uid, now).await?;
        tx.commit().await?;
        tracing::warn!(session = %row.uid, "a spent refresh token was used; the session was ended");
        return Err(Error::SignedOut);
    }
    let person = store::person::by_uid(&tx, row.person).await?.ok_or(Error::SignedOut)?;
    tx.commit().await?;
    let session = SessionOut {
        access_token: identity.tokens.sign(person.uid, row.uid, now)?,
        expires_in: ACCESS_LIFE / SECOND,
        is_new: false,
        profile: identity.profile(&person),
    };
    let successor = RefreshToken { session: row.uid, generation: token.generation + 1 };
    let is_newest = is_living || successor.generation == row.generation;
    Ok((is_newest.then_some(successor), session))
}
