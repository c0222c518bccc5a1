//! The provider's objects as its API shows them, with the fields of the pinned version.

mod checkout;
mod customer;
mod invoice;
mod portal;
mod schedule;
mod subscription;

use serde_json::{Value, json};

pub(crate) use checkout::{CheckoutValues, checkout};
pub(crate) use customer::{CardValues, customer, payment_method};
pub(crate) use invoice::{InvoiceLine, InvoiceValues, invoice, invoice_payment};
pub(crate) use portal::{DEFAULT_CONFIGURATION, configuration, portal};
pub(crate) use schedule::{Phase, schedule};
pub(crate) use subscription::{SubscriptionValues, subscription};

pub(crate) fn refund(id: &str, payment_intent: &str, invoice: &Value, created: i64) -> Value {
    json!({
        "id": id, "object": "refund", "amount": invoice["amount_paid"], "created": created,
        "currency": invoice["currency"], "customer": invoice["customer"], "customer_account": null,
        "payment_intent": payment_intent, "payment_method": null, "charge": null, "metadata": {}, "reason": null,
        "status": "succeeded", "balance_transaction": null, "receipt_number": null,
        "source_transfer_reversal": null, "transfer_reversal": null,
    })
}

/// An event about an object, and the values that the object had before.
pub(crate) fn event(id: &str, name: &str, object: &Value, previous: Option<Value>, created: i64) -> Value {
    let mut data = json!({ "object": object });
    if let Some(previous) = previous {
        data["previous_attributes"] = previous;
    }
    json!({
        "id": id, "object": "event", "api_version": payments::STRIPE_VERSION, "created": created, "livemode": false,
        "pending_webhooks": 1, "request": { "id": null, "idempotency_key": null }, "type": name, "data": data,
    })
}

/// The account whose key is used.
pub(crate) fn account(created: i64, currency: &str) -> Value {
    json!({
        "id": "acct_sandbox", "object": "account", "business_profile": null, "business_type": "company",
        "charges_enabled": true, "country": "US", "created": created, "default_currency": currency,
        "details_submitted": true, "email": null, "metadata": {}, "payouts_enabled": true, "type": "standard",
    })
}

/// The only webhook endpoint. It gets every event.
pub(crate) fn webhook_endpoint(id: &str, url: &str, created: i64) -> Value {
    json!({
        "id": id, "object": "webhook_endpoint", "api_version": payments::STRIPE_VERSION,
        "application": null, "created": created, "description": null, "enabled_events": ["*"], "livemode": false,
        "metadata": {}, "status": "enabled", "url": url,
    })
}

/// A page of a list as the API shows it.
pub(crate) fn list(path: &str, data: Vec<Value>, has_more: bool) -> Value {
    json!({ "object": "list", "url": format!("/v1/{path}"), "has_more": has_more, "data": data })
}
