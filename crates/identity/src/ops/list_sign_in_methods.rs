//! `GET /auth/methods`: by which ways the caller can sign in.

use axum::Json;
use axum::extract::State;
use httpkit::Reply;
use kernel::Problem;
use serde::Serialize;

use crate::{Caller, Error, Identity, store};

/// The ways in.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MethodsOut {
    /// Where links go.
    email: String,
    /// Whether it was proved that the address is the caller's.
    email_verified: bool,
    /// Whether there is a password.
    password: bool,
    /// Other providers: google, apple.
    providers: Vec<String>,
}

/// The caller's ways in.
#[utoipa::path(get, path = "/auth/methods", tag = "identity", responses(
    (status = 200, body = MethodsOut), (status = 401, body = Problem),
))]
pub async fn list_sign_in_methods(
    State(identity): State<Identity>,
    caller: Caller,
) -> Reply<Json<MethodsOut>> {
    let conn = identity.db.read();
    let person = store::person::by_uid(conn, caller.person()).await?.ok_or(Error::SignedOut)?;
    Ok(Json(MethodsOut {
        email: person.email,
        email_verified: person.is_verified,
        password: store::password::exists(conn, caller.person()).await?,
        providers: store::provider_identity::providers_of(conn, caller.person()).await?,
    }))
}
