//! `DELETE /profiles`: erases the caller's account.

use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse, Response};
use http::StatusCode;
use http::header::SET_COOKIE;
use httpkit::{ApiResult, Body};
use kernel::Problem;
use serde::Deserialize;

use crate::refresh::{App, set_cookie};
use crate::{Caller, Identity};

/// The address of the account to erase, typed to confirm it.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct EraseIn {
    /// Your email address.
    email: String,
}

/// Erase your account
///
/// Deletes your profile, your sessions and everything that names you, at once and for good. Proofs of consent and
/// entries of audit logs stay without your name and address. Fails with 409 `last_super_admin` while you are the only
/// super admin of an organization, and with 409 `sole_manager` while you alone manage a billing account with a plan.
#[utoipa::path(delete, path = "/profiles", tag = "identity", request_body = EraseIn, responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 409, body = Problem),
))]
pub async fn erase_profile(
    State(identity): State<Identity>,
    caller: Caller,
    Body(sent): Body<EraseIn>,
) -> ApiResult<Response> {
    identity.erase(caller.person(), &sent.email).await?;
    let ended = [App::Portal, App::Viewer].map(|app| (SET_COOKIE, set_cookie(&identity.public, app, None)));
    Ok((StatusCode::NO_CONTENT, AppendHeaders(ended)).into_response())
}
