//! `GET /auth/methods`: the caller's sign-in methods.

use axum::Json;
use axum::extract::State;
use httpkit::ApiResult;
use kernel::Problem;
use serde::Serialize;

use crate::openid::ProviderName;
use crate::{Caller, Error, Identity, store};

/// The sign-in methods of a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MethodsOut {
    /// Address that magic links are sent to.
    email: String,
    /// Whether the address is verified.
    email_verified: bool,
    /// Whether a password is set.
    password: bool,
    /// Linked providers: google, apple.
    providers: Vec<String>,
}

/// List your sign-in methods
#[utoipa::path(get, path = "/auth/methods", tag = "identity", responses(
    (status = 200, body = MethodsOut), (status = 401, body = Problem),
))]
pub async fn list_sign_in_methods(
    State(identity): State<Identity>,
    caller: Caller,
) -> ApiResult<Json<MethodsOut>> {
    let conn = identity.db.read();
    let person = store::person::by_uid(conn, caller.person()).await?.ok_or(Error::SignedOut)?;
    let providers = store::provider_identity::providers_of(conn, caller.person()).await?;
    Ok(Json(MethodsOut {
        email: person.email,
        email_verified: person.is_verified,
        password: store::password::exists(conn, caller.person()).await?,
        providers: providers.into_iter().map(ProviderName::word).collect(),
    }))
}
