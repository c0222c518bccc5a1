//! `GET /accounts/{id}/provisions/{provisionId}`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Caller;
use kernel::{AccountId, Problem, ProvisionId};

use crate::dto::ProvisionOut;
use crate::{Billing, Error, access};

/// Read a purchase
///
/// While the buyer pays, this also polls the payment provider, at most every 3 seconds, so a lost webhook causes no
/// delay.
#[utoipa::path(get, path = "/accounts/{id}/provisions/{provisionId}", tag = "billing",
    params(("id" = Uuid, Path), ("provisionId" = Uuid, Path)), responses(
    (status = 200, body = ProvisionOut), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_provision(
    State(billing): State<Billing>,
    caller: Caller,
    Path((id, uid)): Path<(AccountId, ProvisionId)>,
) -> ApiResult<Json<ProvisionOut>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let provision = billing.awaited(account.uid, uid).await?.ok_or(Error::PurchaseNotFound)?;
    Ok(Json(ProvisionOut::at(provision, billing.ambient.now())))
}
