//! `POST /auth/sign-out`: ends this session, or all of them (rules 5.1, R-06).

use axum::extract::State;
use http::header::SET_COOKIE;
use http::{HeaderName, StatusCode};
use httpkit::{Query, Reply};
use kernel::Problem;
use serde::Deserialize;

use crate::refresh::{App, set_cookie};
use crate::{Caller, Identity, store};

/// Which sessions end.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SignOutQuery {
    /// `1` ends every session of the person.
    everywhere: Option<String>,
    /// The app whose cookie is forgotten: portal (default) or viewer.
    #[serde(default)]
    #[param(inline)]
    app: App,
}

/// Signs out; the access token stops counting at once.
#[utoipa::path(post, path = "/auth/sign-out", tag = "identity", params(SignOutQuery), responses(
    (status = 204), (status = 401, body = Problem),
))]
pub async fn sign_out(
    State(identity): State<Identity>,
    caller: Caller,
    Query(query): Query<SignOutQuery>,
) -> Reply<(StatusCode, [(HeaderName, String); 1])> {
    let now = identity.ambient.now();
    let tx = identity.db.write_tx().await?;
    if query.everywhere.as_deref() == Some("1") {
        store::session::end_all(&tx, caller.person(), now).await?;
    } else {
        store::session::end(&tx, caller.session(), now).await?;
    }
    tx.commit().await?;
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, set_cookie(&identity.public, query.app, ""))]))
}
