//! `POST /auth/refresh`: issues a new access token for the session of the refresh cookie.

use axum::Json;
use axum::extract::State;
use db::Stored;
use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderName};
use httpkit::{ApiResult, Query};
use kernel::{Problem, SECOND};
use serde::Deserialize;

use crate::client_info::ClientInfo;
use crate::refresh::{App, RefreshToken, set_cookie, token_of};
use crate::tokens::ACCESS_LIFETIME;
use crate::{Error, Identity, SessionOut, store};

/// Which session to refresh.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RefreshQuery {
    /// The app whose session to refresh: portal (default) or viewer.
    #[serde(default)]
    #[param(inline)]
    app: App,
}

/// Refresh the session
///
/// Any number of tabs may refresh at the same time: for ten seconds after it was spent, a refresh token still
/// leads to the same successor. Using it later ends the session. If the successor has been spent too, no
/// cookie is set, because the browser already has a newer one.
#[utoipa::path(post, path = "/auth/refresh", tag = "identity", params(RefreshQuery), responses(
    (status = 200, body = SessionOut), (status = 401, body = Problem),
))]
pub async fn refresh_session(
    State(identity): State<Identity>,
    Query(query): Query<RefreshQuery>,
    client: ClientInfo,
    headers: HeaderMap,
) -> ApiResult<(Option<[(HeaderName, String); 1]>, Json<SessionOut>)> {
    let token = token_of(&identity.public, &identity.signer, query.app, &headers).ok_or(Error::SignedOut)?;
    let (successor, session) = refresh(&identity, token, query.app, &client).await?;
    let cookie =
        successor.map(|token| set_cookie(&identity.public, query.app, Some(&token.encode(&identity.signer))));
    Ok((cookie.map(|cookie| [(SET_COOKIE, cookie)]), Json(session)))
}

/// Returns the session and the successor of the token, unless that has been spent too.
async fn refresh(
    identity: &Identity,
    token: RefreshToken,
    app: App,
    client: &ClientInfo,
) -> Result<(Option<RefreshToken>, SessionOut), Error> {
    let now = identity.ambient.now();
    let tx = identity.db.write_tx_on(token.session).await?;
    let row = store::session::by_uid(&tx, token.session, now).await?.ok_or(Error::SignedOut)?;
    if row.app != Stored::Known(app) {
        return Err(Error::SignedOut);
    }
    let spent = store::session::spent_times(row.uid, row.spent)?;
    let is_current = token.generation == row.generation;
    if is_current {
        store::session::rotate(
            &tx,
            row.uid,
            row.generation,
            &spent.with(now),
            client.address.as_deref(),
            now,
        )
        .await?;
    } else if !spent.accepts(token.generation, row.generation, now) {
        // A token used again after the grace period may have been stolen.
        store::session::end(&tx, row.uid, now).await?;
        tx.commit().await?;
        tracing::warn!(session = %row.uid, "a spent refresh token was used again; the session was ended");
        return Err(Error::SignedOut);
    }
    let person = store::person::by_uid(&tx, row.person).await?.ok_or(Error::SignedOut)?;
    tx.commit().await?;
    let session = SessionOut {
        access_token: identity.tokens.sign(person.uid, row.uid, now)?,
        expires_in: ACCESS_LIFETIME / SECOND,
        is_new: false,
        profile: identity.profile(&person),
    };
    let successor = RefreshToken { session: row.uid, generation: token.generation + 1 };
    let is_newest = is_current || successor.generation == row.generation;
    Ok((is_newest.then_some(successor), session))
}
