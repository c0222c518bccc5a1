//! `GET /accounts/{id}/endedOrganizations`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, Path};
use identity::Caller;
use kernel::{AccountId, Problem, Uuid, iso};
use serde::Serialize;

use crate::returning::EndedOrg;
use crate::{Billing, access};

/// An organization whose plan has ended.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndedOrgOut {
    /// Id of the organization.
    uid: Uuid,
    /// Its name.
    name: String,
    /// When its plan ended, or ends if nothing is paid.
    time_ended: String,
}

/// List the organizations that return when the account buys a plan again
///
/// The one whose plan ended last comes first. Deleted organizations are left out.
#[utoipa::path(get, path = "/accounts/{id}/endedOrganizations", tag = "billing", params(("id" = Uuid, Path)), responses(
    (status = 200, body = List<EndedOrgOut>), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_ended_organizations(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
) -> ApiResult<Json<List<EndedOrgOut>>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let ended = billing.ended_orgs(billing.db.read(), account.uid, None).await?;
    Ok(Json(ended.into_iter().map(EndedOrgOut::from).collect()))
}

impl From<EndedOrg> for EndedOrgOut {
    fn from(EndedOrg { organisation, ended_at }: EndedOrg) -> Self {
        Self { uid: organisation.uid.into(), name: organisation.name, time_ended: iso(ended_at) }
    }
}
