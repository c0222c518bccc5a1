//! `POST /webhooks/stripe`.

use axum::extract::State;
use http::{HeaderMap, StatusCode};
use httpkit::{ApiResult, RawBody};
use kernel::Problem;
use payments::{Event, EventKind, Provider};

use crate::activation::Trigger;
use crate::model::Cause;
use crate::provision::Provision;
use crate::store::webhook_event::Outcome;
use crate::{Billing, Error, store};

/// Receive an event of the payment provider
///
/// The payload is only a hint: the current state is fetched from the provider. Any answer other than 2xx
/// makes the provider retry.
#[utoipa::path(post, path = "/webhooks/stripe", tag = "billing",
    request_body(content = String, content_type = "application/json"),
    params(("Stripe-Signature" = String, Header)),
    responses((status = 200), (status = 400, body = Problem), (status = 409, body = Problem), (status = 413, body = Problem),
        (status = 502, body = Problem)))]
pub async fn receive_stripe_webhook(
    State(billing): State<Billing>,
    headers: HeaderMap,
    RawBody(body): RawBody,
) -> ApiResult<StatusCode> {
    let provider = billing.provider.as_ref().ok_or(Error::PaymentOff)?;
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok());
    let event = provider.verify_webhook(signature, &body).map_err(Error::from)?;
    process_event(&billing, provider, &event).await?;
    Ok(StatusCode::OK)
}

async fn process_event(billing: &Billing, provider: &Provider, event: &Event) -> Result<(), Error> {
    if store::webhook_event::is_known(billing.db.read(), &event.id).await? {
        return Ok(());
    }
    let (provision, outcome) = match event.kind {
        EventKind::Other => (None, Outcome::Foreign),
        _ => match find_purchase(billing, event).await? {
            None if event.provision.is_some() => (None, Outcome::UnknownPurchase),
            None => (None, Outcome::Foreign),
            found => (found, Outcome::Applied),
        },
    };
    // Calls the provider before the transaction starts: a write transaction must not wait on the network.
    let provider_state = match &provision {
        Some(one) => {
            let (session, subscription) = (event.checkout.as_deref(), event.subscription.as_deref());
            Some(billing.fetch_state(provider, one, session, subscription).await?)
        }
        None => None,
    };
    let tx = billing.db.write_tx().await?;
    if !store::webhook_event::insert(&tx, event, outcome, billing.ambient.now()).await? {
        return Ok(());
    }
    if let Some(provider_state) = provider_state {
        let trigger = Trigger { cause: Cause::Event, id: Some(&event.id) };
        billing.apply(&tx, provider_state, trigger).await?;
    }
    tx.commit().await?;
    if outcome == Outcome::UnknownPurchase {
        let Event { id, name, checkout, subscription, provision, .. } = event;
        tracing::warn!(
            event = id, name, checkout, subscription, provision = ?provision,
            "webhook for a purchase that is not in the database; kept in webhook_event"
        );
    }
    Ok(())
}

/// Returns the purchase an event is about, or `None` for events of other products on the same Stripe account.
async fn find_purchase(billing: &Billing, event: &Event) -> Result<Option<Provision>, Error> {
    if let Some(uid) = event.provision
        && let Some(provision) = store::provision::by_uid(billing.db.read(), uid).await?
    {
        return Ok(Some(provision));
    }
    let (subscription, session) = (event.subscription.as_deref(), event.checkout.as_deref());
    Ok(store::provision::by_provider_id(billing.db.read(), subscription, session).await?)
}
