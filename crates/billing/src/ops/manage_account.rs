//! `POST /accounts/{id}/manage`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Caller;
use kernel::{AccountId, Problem};
use serde::Serialize;

use crate::{Billing, Error, access, customer};

/// The provider's management page.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ManageOut {
    /// A short-lived address at the provider.
    url: String,
}

/// Open the provider's billing management page
#[utoipa::path(post, path = "/accounts/{id}/manage", tag = "billing", params(("id" = Uuid, Path)), responses(
    (status = 200, body = ManageOut), (status = 401, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 502, body = Problem),
))]
pub async fn manage_account(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
) -> ApiResult<Json<ManageOut>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let provider = billing.provider.as_ref().ok_or(Error::PaymentOff)?;
    let back = &billing.public.at("/billing");
    let open = |customer: String| async move { provider.portal(&customer, back).await };
    let url = customer::with(&billing, provider, &account, open).await?;
    Ok(Json(ManageOut { url }))
}
