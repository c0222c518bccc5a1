//! `GET /profiles`: the caller's profile.

use axum::Json;
use axum::extract::State;
use httpkit::ApiResult;
use kernel::Problem;

use crate::{Caller, Identity, ProfileOut, store};

/// Get your profile
#[utoipa::path(get, path = "/profiles", tag = "identity", responses(
    (status = 200, body = ProfileOut), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_profile(State(identity): State<Identity>, caller: Caller) -> ApiResult<Json<ProfileOut>> {
    let person = store::person::by_uid(identity.db.read(), caller.person()).await?;
    let person = person.ok_or_else(|| Problem::not_found("Profile"))?;
    Ok(Json(identity.profile(&person)))
}
