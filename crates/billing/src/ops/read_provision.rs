//! `GET /accounts/{id}/provisions/{provisionId}`.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Caller;
use kernel::{AccountId, Millis, Problem, ProvisionId, SECOND};
use payments::Provider;

use crate::activation::{Hints, Trigger};
use crate::dto::ProvisionOut;
use crate::model::ProvisionState;
use crate::provision::Provision;
use crate::{Billing, Error, access, store};

/// The provider is asked about one purchase at most this often, however many pages wait for it.
const ASK_EVERY: Millis = 3 * SECOND;
/// How long a page waits for the provider before it gets what is stored.
const PATIENCE: Duration = Duration::from_secs(2);

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
    let mut provision = read(&billing, account.uid, uid).await?;
    if let Some(provider) = &billing.provider
        && provision.state_at(billing.ambient.now()) == ProvisionState::Open
        && ask(&billing, provider, &provision).await?
    {
        provision = read(&billing, account.uid, uid).await?;
    }
    Ok(Json(ProvisionOut::at(provision, billing.ambient.now())))
}

async fn read(billing: &Billing, account: AccountId, uid: ProvisionId) -> Result<Provision, Error> {
    let found = store::provision::by_uid(billing.db.read(), uid).await?;
    found.filter(|provision| provision.account == account).ok_or(Error::PurchaseNotFound)
}

/// Asks the provider, unless another page has just done so. Returns whether it answered; if it did not, what is stored
/// counts, and the purchase is looked up later.
async fn ask(billing: &Billing, provider: &Provider, provision: &Provision) -> Result<bool, Error> {
    let now = billing.ambient.now();
    if store::provision::was_asked_after(billing.db.read(), provision.uid, now - ASK_EVERY).await? {
        return Ok(false);
    }
    let tx = billing.db.write_tx().await?;
    if !store::provision::claim_asking(&tx, provision.uid, now, now - ASK_EVERY).await? {
        return Ok(false);
    }
    tx.commit().await?;
    let answer = billing.refresh(provider, provision, Hints::default(), Trigger::CHECK);
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(Ok(())) => Ok(true),
        Ok(Err(Error::Provider(error))) => {
            tracing::warn!(provision = %provision.uid, %error, "failed to look up a purchase at the payment provider");
            Ok(false)
        }
        Ok(Err(error)) => Err(error),
        Err(_) => Ok(false),
    }
}
