//! One file per operation.

mod change_profile;
mod end_session;
mod erase_profile;
mod export_profile;
mod finish_provider_sign_in;
mod list_public_keys;
mod list_sessions;
mod list_sign_in_methods;
mod read_profile;
mod redeem_confirmation;
mod redeem_emailed_digits;
pub mod redeem_magic_link;
mod redeem_password_reset;
mod redeem_provider_sign_in;
mod refresh_session;
pub mod request_confirmation;
pub mod request_magic_link;
mod request_password_reset;
mod sign_in;
mod sign_out;
pub mod sign_up;
mod start_provider_sign_in;

pub use start_provider_sign_in::is_challenge;

use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::{Identity, popup};

/// Maximum size of the form a provider posts.
const FORM_LIMIT: usize = 16 * 1024;

pub fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .merge(email_code_routes())
        .merge(provider_routes())
        .routes(routes!(sign_up::sign_up))
        .routes(routes!(sign_in::sign_in))
        .routes(routes!(refresh_session::refresh_session))
        .routes(routes!(sign_out::sign_out))
        .routes(routes!(list_sessions::list_sessions))
        .routes(routes!(end_session::end_session))
        .routes(routes!(list_sign_in_methods::list_sign_in_methods))
        .routes(routes!(
            read_profile::read_profile,
            change_profile::change_profile,
            erase_profile::erase_profile
        ))
        .routes(routes!(export_profile::export_profile))
}

/// Operations that use codes sent by email.
fn email_code_routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(request_magic_link::request_magic_link))
        .routes(routes!(redeem_magic_link::redeem_magic_link))
        .routes(routes!(redeem_emailed_digits::redeem_emailed_digits))
        .routes(routes!(request_password_reset::request_password_reset))
        .routes(routes!(redeem_password_reset::redeem_password_reset))
        .routes(routes!(request_confirmation::request_confirmation))
        .routes(routes!(redeem_confirmation::redeem_confirmation))
}

/// Operations of a sign-in through a provider.
fn provider_routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(start_provider_sign_in::start_provider_sign_in))
        .routes(routes!(
            finish_provider_sign_in::finish_provider_sign_in,
            finish_provider_sign_in::finish_posted_provider_sign_in
        ))
        .layer(DefaultBodyLimit::max(FORM_LIMIT))
        .routes(routes!(redeem_provider_sign_in::redeem_provider_sign_in))
        .route("/auth/oidc/popup.js", get(popup::script))
}

pub fn root_routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(list_public_keys::list_public_keys))
}
