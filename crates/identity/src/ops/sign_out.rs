//! `POST /auth/sign-out`: ends the caller's session, or all of them.

use axum::extract::State;
use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderName, StatusCode};
use httpkit::{ApiError, ApiResult, Query};
use kernel::{PersonId, Problem, SessionId, Timestamp};
use sea_orm::DbErr;
use serde::Deserialize;

use crate::refresh::{App, RefreshToken, set_cookie, token_of};
use crate::{Caller, Identity, store};

/// Which sessions to end.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SignOutQuery {
    /// `true` or `1` ends all of your sessions.
    everywhere: Option<String>,
    /// The app whose cookie is deleted: portal (default) or viewer.
    #[serde(default)]
    #[param(inline)]
    app: App,
}

/// Sign out
///
/// The access token stops working immediately. If it has expired, the refresh cookie identifies the session.
#[utoipa::path(post, path = "/auth/sign-out", tag = "identity", params(SignOutQuery), responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem),
))]
pub async fn sign_out(
    State(identity): State<Identity>,
    caller: Result<Caller, ApiError>,
    Query(query): Query<SignOutQuery>,
    headers: HeaderMap,
) -> ApiResult<(StatusCode, [(HeaderName, String); 1])> {
    let everywhere = match query.everywhere.as_deref() {
        None => false,
        Some("1" | "true") => true,
        Some(_) => {
            let message = "everywhere must be true or omitted.";
            return Err(Problem::field("everywhere", "invalid_everywhere", message).into());
        }
    };
    match caller {
        Ok(caller) => end(&identity, caller.person(), caller.session(), everywhere).await?,
        Err(refusal) if refusal.0.status == 401 => {
            let token = token_of(&identity.public, &identity.signer, query.app, &headers).ok_or(refusal)?;
            end_by_cookie(&identity, token, everywhere).await?;
        }
        Err(refusal) => return Err(refusal),
    }
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, set_cookie(&identity.public, query.app, None))]))
}

async fn end(
    identity: &Identity,
    person: PersonId,
    session: SessionId,
    everywhere: bool,
) -> Result<(), DbErr> {
    let now = identity.ambient.now();
    let tx = identity.db.write_tx().await?;
    if everywhere {
        store::session::end_all(&tx, person, now).await?;
    } else {
        store::session::end(&tx, session, now).await?;
    }
    tx.commit().await
}

/// Ends the session of a refresh token, even one spent long ago, because its reappearance means that the
/// session is not safe. The person's other sessions end only if the token is still valid. Does nothing if the
/// session has ended.
async fn end_by_cookie(identity: &Identity, token: RefreshToken, everywhere: bool) -> Result<(), DbErr> {
    let now: Timestamp = identity.ambient.now();
    let Some(row) = store::session::by_uid(identity.db.read(), token.session, now).await? else {
        return Ok(());
    };
    let is_valid = everywhere
        && (token.generation == row.generation
            || store::session::spent_times(row.uid, row.spent)?.accepts(
                token.generation,
                row.generation,
                now,
            ));
    end(identity, row.person, row.uid, is_valid).await
}
