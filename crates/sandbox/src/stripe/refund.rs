//! Refunds of paid invoices.

use serde_json::Value;

use super::fields::Fields;
use super::step::Step;
use super::{CallResult, StripeError, objects};
use crate::store::{self, Kind, NewObject};

/// Refunds an invoice, once.
pub(super) async fn create(step: Step<'_>, fields: &Fields) -> CallResult {
    let intent = fields.get("payment_intent").unwrap_or_default();
    let invoice = store::by_id(step.tx, Kind::Invoice, &intent.replacen("pi_", "in_", 1)).await?;
    let invoice = invoice.filter(|invoice| invoice.body["status"] == "paid");
    let invoice = invoice.ok_or_else(|| StripeError::missing("payment_intent"))?;
    if !store::of_owner(step.tx, Kind::Refund, intent).await?.is_empty() {
        return Err(StripeError::invalid(
            "charge_already_refunded",
            "The payment has already been refunded.",
        ));
    }
    let id = step.sandbox.new_id("re");
    let new = NewObject {
        body: objects::refund(&id, intent, &invoice.body, step.seconds()),
        id,
        kind: Kind::Refund,
        owner: Some(intent.to_owned()),
        reference: None,
        inner: Value::Null,
        due: None,
    };
    Ok(step.insert(new).await?.body)
}
