//! `POST /webhooks/stripe`.

use axum::extract::State;
use http::{HeaderMap, StatusCode};
use httpkit::{ApiResult, RawBody};
use kernel::Problem;

use crate::jobs::process_webhook::ProcessWebhook;
use crate::{Billing, Error, store};

/// Receive an event of the payment provider
///
/// The event is stored and answered at once. The payload is only a hint: a job fetches the current state from the
/// provider.
#[utoipa::path(post, path = "/webhooks/stripe", tag = "billing",
    request_body(content = String, content_type = "application/json"),
    params(("Stripe-Signature" = String, Header)),
    responses((status = 200), (status = 400, body = Problem), (status = 409, body = Problem), (status = 413, body = Problem)))]
pub async fn receive_stripe_webhook(
    State(billing): State<Billing>,
    headers: HeaderMap,
    RawBody(body): RawBody,
) -> ApiResult<StatusCode> {
    let provider = billing.provider.as_ref().ok_or(Error::PaymentOff)?;
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok());
    let event = provider.verify_webhook(signature, &body).map_err(Error::from)?;
    let tx = billing.db.write_tx().await?;
    let job = ProcessWebhook { event: event.id.clone() };
    if store::webhook_event::receive(&tx, event, billing.ambient.now()).await? {
        billing.jobs.enqueue(&tx, &job).await?;
    }
    tx.commit().await?;
    Ok(StatusCode::OK)
}
