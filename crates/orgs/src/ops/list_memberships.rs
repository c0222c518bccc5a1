//! `GET /profiles/roles/detailed`: the caller's memberships.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List};
use identity::Caller;
use kernel::Problem;

use crate::dto::MembershipOut;
use crate::{Orgs, store};

/// List your memberships
///
/// Oldest first. Organizations whose plan has ended are left out.
#[utoipa::path(get, path = "/profiles/roles/detailed", tag = "orgs", responses(
    (status = 200, body = List<MembershipOut>), (status = 401, body = Problem),
))]
pub async fn list_memberships(
    State(orgs): State<Orgs>,
    caller: Caller,
) -> ApiResult<Json<List<MembershipOut>>> {
    let rows =
        store::membership::of_person(orgs.db.read(), caller.person(), false, orgs.ambient.now()).await?;
    Ok(Json(rows.iter().map(|(membership, org)| MembershipOut::of(membership, org, &orgs.public)).collect()))
}
