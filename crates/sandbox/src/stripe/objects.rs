//! The provider's objects as its API shows them.

use serde_json::{Value, json};

use super::catalogue::{CURRENCY, Price};

/// A customer.
pub(crate) fn customer(
    id: &str,
    created: i64,
    name: Option<&str>,
    email: Option<&str>,
    metadata: Value,
) -> Value {
    json!({
        "id": id, "object": "customer", "created": created, "livemode": false, "name": name, "email": email,
        "balance": 0, "delinquent": false, "metadata": metadata, "invoice_settings": {
            "custom_fields": null, "default_payment_method": null, "footer": null, "rendering_options": null,
        },
    })
}

/// The values of a checkout session.
pub(crate) struct CheckoutValues<'a> {
    pub(crate) id: &'a str,
    pub(crate) created: i64,
    pub(crate) expires_at: i64,
    pub(crate) url: String,
    pub(crate) customer: &'a str,
    pub(crate) reference: Option<&'a str>,
    pub(crate) success_url: &'a str,
    pub(crate) cancel_url: Option<&'a str>,
    pub(crate) metadata: Value,
    pub(crate) price: &'a Price,
}

/// An open checkout session.
pub(crate) fn checkout(values: CheckoutValues<'_>) -> Value {
    json!({
        "id": values.id, "object": "checkout.session", "created": values.created, "expires_at": values.expires_at,
        "livemode": false, "mode": "subscription", "status": "open", "payment_status": "unpaid", "url": values.url,
        "customer": values.customer, "client_reference_id": values.reference, "subscription": null, "invoice": null,
        "success_url": values.success_url, "cancel_url": values.cancel_url, "metadata": values.metadata,
        "amount_total": values.price.cents, "amount_subtotal": values.price.cents, "currency": CURRENCY,
        "automatic_tax": { "enabled": false, "liability": null, "provider": null, "status": null },
        "custom_fields": [], "shipping_options": [], "payment_method_types": ["card"],
        "custom_text": {
            "after_submit": null, "shipping_address": null, "submit": null, "terms_of_service_acceptance": null,
        },
    })
}

/// The values of a subscription.
pub(crate) struct SubscriptionValues<'a> {
    pub(crate) id: &'a str,
    pub(crate) item: &'a str,
    pub(crate) customer: &'a str,
    pub(crate) price: &'a Price,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) invoice: &'a str,
    pub(crate) metadata: Value,
}

/// An active subscription. The period is on the subscription and on its item, as in older and newer versions
/// of the API.
pub(crate) fn subscription(values: SubscriptionValues<'_>) -> Value {
    json!({
        "id": values.id, "object": "subscription", "customer": values.customer, "created": values.start,
        "start_date": values.start, "billing_cycle_anchor": values.start, "status": "active",
        "current_period_start": values.start, "current_period_end": values.end, "cancel_at_period_end": false,
        "cancel_at": null, "canceled_at": null, "ended_at": null,
        "cancellation_details": { "comment": null, "feedback": null, "reason": null }, "collection_method": "charge_automatically",
        "currency": CURRENCY, "livemode": false, "latest_invoice": values.invoice, "metadata": values.metadata,
        "automatic_tax": { "enabled": false, "liability": null, "disabled_reason": null },
        "items": {
            "object": "list", "has_more": false, "url": format!("/v1/subscription_items?subscription={}", values.id),
            "data": [{
                "id": values.item, "object": "subscription_item", "created": values.start, "quantity": 1,
                "metadata": {}, "subscription": values.id, "price": values.price.object(values.start),
                "current_period_start": values.start, "current_period_end": values.end,
                "discounts": [], "tax_rates": [],
            }],
        },
    })
}

/// An invoice of a subscription, paid or open.
pub(crate) fn invoice(id: &str, subscription: &Value, price: &Price, paid: bool, created: i64) -> Value {
    let (due, done) = if paid { (0, price.cents) } else { (price.cents, 0) };
    json!({
        "id": id, "object": "invoice", "created": created, "customer": subscription["customer"],
        "currency": CURRENCY, "livemode": false, "status": if paid { "paid" } else { "open" }, "paid": paid,
        "amount_due": price.cents, "amount_paid": done, "amount_remaining": due, "amount_shipping": 0,
        "subtotal": price.cents, "total": price.cents, "attempt_count": 1, "attempted": true,
        "collection_method": "charge_automatically", "subscription": subscription["id"],
        "period_start": subscription["current_period_start"], "period_end": subscription["current_period_end"],
        "paid_out_of_band": false, "post_payment_credit_notes_amount": 0, "pre_payment_credit_notes_amount": 0,
        "starting_balance": 0, "default_tax_rates": [], "total_tax_amounts": [],
        "automatic_tax": { "enabled": false, "liability": null, "status": null },
        "lines": { "object": "list", "data": [], "has_more": false, "url": format!("/v1/invoices/{id}/lines") },
        "payment_settings": { "default_mandate": null, "payment_method_options": null, "payment_method_types": null },
        "status_transitions": {
            "finalized_at": created, "marked_uncollectible_at": null, "paid_at": paid.then_some(created),
            "voided_at": null,
        },
        "parent": {
            "type": "subscription_details", "quote_details": null,
            "subscription_details": { "subscription": subscription["id"], "metadata": subscription["metadata"] },
        },
    })
}

/// A portal session.
pub(crate) fn portal(id: &str, customer: &str, return_url: Option<&str>, url: &str, created: i64) -> Value {
    json!({
        "id": id, "object": "billing_portal.session", "configuration": "bpc_sandbox", "created": created,
        "customer": customer, "livemode": false, "return_url": return_url, "url": url, "locale": null,
        "flow": null, "on_behalf_of": null,
    })
}

/// A refund of the payment of an invoice.
pub(crate) fn refund(id: &str, payment_intent: &str, cents: i64, created: i64) -> Value {
    json!({
        "id": id, "object": "refund", "amount": cents, "created": created, "currency": CURRENCY,
        "payment_intent": payment_intent, "charge": null, "metadata": {}, "reason": null, "status": "succeeded",
        "balance_transaction": null, "receipt_number": null, "source_transfer_reversal": null,
        "transfer_reversal": null,
    })
}

/// The payment of a paid invoice.
pub(crate) fn invoice_payment(invoice: &Value) -> Value {
    let id = invoice["id"].as_str().unwrap_or_default();
    json!({
        "id": format!("inpay_{}", id.trim_start_matches("in_")), "object": "invoice_payment", "invoice": id,
        "amount_paid": invoice["amount_paid"], "amount_requested": invoice["amount_due"],
        "created": invoice["created"], "currency": CURRENCY, "is_default": true, "livemode": false,
        "payment": { "type": "payment_intent", "payment_intent": payment_intent(id) }, "status": "paid",
        "status_transitions": { "canceled_at": null, "paid_at": invoice["created"] },
    })
}

/// Returns the payment intent of an invoice, which has the same number.
pub(crate) fn payment_intent(invoice: &str) -> String {
    invoice.replacen("in_", "pi_", 1)
}

/// An event about an object.
pub(crate) fn event(id: &str, name: &str, object: &Value, created: i64) -> Value {
    json!({
        "id": id, "object": "event", "api_version": payments::STRIPE_VERSION, "created": created, "livemode": false,
        "pending_webhooks": 1, "request": { "id": null, "idempotency_key": null }, "type": name,
        "data": { "object": object },
    })
}

/// A list as the API shows it.
pub(crate) fn list(path: &str, data: Vec<Value>) -> Value {
    json!({ "object": "list", "url": format!("/v1/{path}"), "has_more": false, "data": data })
}
