//! `POST /organizations/{id}/restore`.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::Caller;
use kernel::{OrgId, Problem};

use crate::{Initiator, Orgs};

/// Restore a deleted organization
///
/// Only for managers of the billing account that owned it, within 30 days. The account must have a plan without an
/// organization (409 `no_free_provision`). Invitations and the joining link stay ended.
#[utoipa::path(post, path = "/organizations/{id}/restore", tag = "orgs", params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn restore_organisation(
    State(orgs): State<Orgs>,
    caller: Caller,
    Path(id): Path<OrgId>,
) -> ApiResult<StatusCode> {
    orgs.restore(Initiator::Person(caller.person()), id).await?;
    Ok(StatusCode::NO_CONTENT)
}
