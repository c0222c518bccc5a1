//! `GET /accounts/{id}/deletedOrganizations`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Path, Query};
use identity::Caller;
use kernel::{AccountId, Problem, Uuid, iso};
use orgs::DeletedOrg;
use serde::Serialize;

use crate::{Billing, access};

/// A deleted organization.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedOrganisationOut {
    /// Id of the organization.
    uid: Uuid,
    /// Name of the organization.
    name: String,
    /// When it was deleted.
    time_deleted: String,
    /// Until when it can be restored. Its data is removed afterwards.
    time_removed: String,
}

impl From<DeletedOrg> for DeletedOrganisationOut {
    fn from(deleted: DeletedOrg) -> Self {
        Self {
            time_deleted: iso(deleted.deleted_at),
            time_removed: iso(deleted.removed_at()),
            uid: deleted.uid.into(),
            name: deleted.name,
        }
    }
}

/// List the deleted organizations of a billing account
///
/// Only those that can still be restored.
#[utoipa::path(get, path = "/accounts/{id}/deletedOrganizations", tag = "billing",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = List<DeletedOrganisationOut>), (status = 400, body = Problem),
    (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_deleted_organisations(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<List<DeletedOrganisationOut>>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let deleted = billing.orgs.deleted_of(billing.db.read(), account.uid, page.keyset()?).await?;
    Ok(Json(deleted.into_iter().map(DeletedOrganisationOut::from).collect()))
}
