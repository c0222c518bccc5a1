//! One file an operation.

mod change_profile;
mod list_public_keys;
mod read_profile;
pub mod redeem_magic_link;
mod refresh_session;
mod request_magic_link;
mod sign_out;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Identity;

pub fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(request_magic_link::request_magic_link))
        .routes(routes!(redeem_magic_link::redeem_magic_link))
        .routes(routes!(refresh_session::refresh_session))
        .routes(routes!(sign_out::sign_out))
        .routes(routes!(read_profile::read_profile, change_profile::change_profile))
}

pub fn root_routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(list_public_keys::list_public_keys))
}
