//! `GET /organizations`: the caller's organisations in full.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List};
use identity::Caller;
use kernel::{OrgId, Problem};

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
    let rows =
        store::membership::of_person(orgs.db.read(), caller.person(), false, orgs.ambient.now()).await?;
    let orgs_of_caller: Vec<OrgId> = rows.iter().map(|(_, org)| org.uid).collect();
    let individual = orgs.ports.seats.individual_among(orgs.db.read(), &orgs_of_caller).await?;
    Ok(Json(
        rows.iter()
            .map(|(membership, org)| {
                let is_individual = individual.contains(&org.uid);
                OrganisationOut::of(org, membership.role, is_individual, &orgs.public)
            })
            .collect(),
    ))
}
