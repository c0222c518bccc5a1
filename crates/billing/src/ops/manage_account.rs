//! `POST /accounts/{id}/manage`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Caller;
use kernel::{AccountId, Problem};
use payments::{PaymentError, Provider};
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
    let configuration = billing.portal_configuration(provider, back).await?;
    let configuration = configuration.as_deref();
    let open = |customer: String| async move { provider.portal(&customer, back, configuration).await };
    let url = customer::with(&billing, provider, &account, open).await?;
    Ok(Json(ManageOut { url }))
}

impl Billing {
    /// Returns our configuration of the portal. Without it the one of the provider's dashboard counts, so that people
    /// can still pay.
    async fn portal_configuration(&self, provider: &Provider, back: &str) -> Result<Option<String>, Error> {
        let prices = self.prices().await;
        match provider.ensure_portal_configuration(&prices, back).await {
            Ok(id) => Ok(Some(id)),
            Err(error @ PaymentError::Unreachable(_)) => Err(error.into()),
            Err(error) => {
                tracing::error!(%error, "the configuration of the billing portal could not be made");
                Ok(None)
            }
        }
    }
}
