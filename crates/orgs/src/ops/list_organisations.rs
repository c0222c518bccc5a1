//! `GET /organizations`: the caller's organisations in full.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List};
use identity::Caller;
use kernel::Problem;

use crate::dto::OrganisationOut;
use crate::{Orgs, store};

/// List your organizations
///
/// Oldest membership first. Organizations whose plan has ended are left out.
#[utoipa::path(get, path = "/organizations", tag = "orgs", responses(
    (status = 200, body = List<OrganisationOut>), (status = 401, body = Problem),
))]
pub async fn list_organisations(
    State(orgs): State<Orgs>,
    caller: Caller,
) -> ApiResult<Json<List<OrganisationOut>>> {
    let rows = store::membership::of_person(orgs.db.read(), caller.person()).await?;
    Ok(Json(
        rows.iter()
            .map(|(membership, org)| OrganisationOut::of(org, membership.role, &orgs.public))
            .collect(),
    ))
}
