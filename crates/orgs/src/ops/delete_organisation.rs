//! `DELETE /organizations/{id}`.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Body, Path};
use identity::Bearer;
use kernel::{OrgId, Problem};
use serde::Deserialize;

use crate::Orgs;
use crate::deletion::DeletionWish;

/// Confirms the deletion.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    /// The name of the organization, as a confirmation.
    #[serde(default)]
    name: String,
    /// Whether to cancel the plan at the end of the period that is paid for. Otherwise it runs on, free for another
    /// organization.
    #[serde(default)]
    cancel_plan: bool,
}

/// Delete an organization
///
/// Only for managers of the billing account that owns it. It is gone for everyone at once: its invitations and joining link
/// end, and unfinished uploads are canceled. It can be restored within 30 days; then its data is removed.
#[utoipa::path(delete, path = "/organizations/{id}", tag = "orgs", params(("id" = Uuid, Path)),
    request_body = Deletion, responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem, description = "The name differs"),
))]
pub async fn delete_organisation(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Body(deletion): Body<Deletion>,
) -> ApiResult<StatusCode> {
    let Deletion { name, cancel_plan } = deletion;
    orgs.delete(&bearer, id, &DeletionWish { name, cancel_plan }).await?;
    Ok(StatusCode::NO_CONTENT)
}
