//! Reads the provider's objects.

use std::str::FromStr;

use kernel::Timestamp;
use serde_json::Value;

use crate::{
    Card, Checkout, CheckoutStatus, Invoice, PaymentError, Price, Subscription, SubscriptionPrice,
    SubscriptionState, SubscriptionStatus, WebhookEndpoint,
};

/// Reduces an id to one path segment. Ids of the provider contain only letters, digits and underscores, and
/// anything else could redirect the call to another path.
pub(crate) fn segment(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

pub(crate) fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

pub(crate) fn seconds(value: &Value, pointer: &str) -> Option<Timestamp> {
    value.pointer(pointer).and_then(Value::as_i64).map(Timestamp::from_seconds)
}

/// Reads a reference: an id, or the object itself if the provider expanded it.
pub(crate) fn reference(value: &Value, name: &str) -> Option<String> {
    text(value, &format!("/{name}")).or_else(|| text(value, &format!("/{name}/id")))
}

pub(crate) fn id_of(value: &Value) -> Result<String, PaymentError> {
    text(value, "/id").ok_or(PaymentError::Unreadable("no id"))
}

/// Reads a uid of ours; anything else there belongs to another product on the same account of the provider.
pub(crate) fn uid_of<Id: FromStr>(value: &Value, pointer: &str) -> Option<Id> {
    text(value, pointer).and_then(|text| text.parse().ok())
}

/// Returns the objects of a list.
pub(crate) fn data<'a>(answer: &'a Value, what: &'static str) -> Result<&'a Vec<Value>, PaymentError> {
    answer.pointer("/data").and_then(Value::as_array).ok_or(PaymentError::Unreadable(what))
}

pub(crate) fn flag(value: &Value, pointer: &str) -> bool {
    value.pointer(pointer).and_then(Value::as_bool).unwrap_or(false)
}

fn number(value: &Value, pointer: &str) -> Option<i64> {
    value.pointer(pointer).and_then(Value::as_i64)
}

/// Reads a price; one without a fixed amount has nothing to show.
pub(crate) fn price(value: &Value) -> Option<Price> {
    Some(Price {
        id: text(value, "/id")?,
        key: text(value, "/lookup_key")?,
        product: reference(value, "product"),
        amount: number(value, "/unit_amount")?,
        currency: text(value, "/currency")?,
    })
}

/// Returns what may name the plan of a price: its lookup key, and its metadata `plan`. The key may have been moved to
/// another price since.
pub(crate) fn plan_keys(price: &Value) -> Vec<String> {
    let places = ["/lookup_key", "/metadata/plan"];
    places.iter().filter_map(|place| text(price, place)).filter(|key| !key.is_empty()).collect()
}

pub(crate) fn checkout(value: &Value) -> Result<Checkout, PaymentError> {
    let status = text(value, "/status")
        .and_then(|word| CheckoutStatus::parse(&word))
        .ok_or(PaymentError::Unreadable("checkout session without a known status"))?;
    Ok(Checkout {
        id: id_of(value)?,
        url: text(value, "/url"),
        status,
        paid: matches!(text(value, "/payment_status").as_deref(), Some("paid" | "no_payment_required")),
        expires_at: seconds(value, "/expires_at")
            .ok_or(PaymentError::Unreadable("checkout session without expires_at"))?,
        subscription: reference(value, "subscription"),
        customer: reference(value, "customer"),
        account: uid_of(value, "/metadata/account"),
        provision: uid_of(value, "/client_reference_id"),
        live_mode: flag(value, "/livemode"),
    })
}

pub(crate) fn subscription(value: &Value) -> Result<Subscription, PaymentError> {
    let status = text(value, "/status")
        .and_then(|word| SubscriptionStatus::parse(&word))
        .ok_or(PaymentError::Unreadable("subscription without a known status"))?;
    // Stripe moved the period from the subscription to its items in 2025; both are read.
    let period_end = seconds(value, "/items/data/0/current_period_end")
        .or_else(|| seconds(value, "/current_period_end"))
        .ok_or(PaymentError::Unreadable("subscription without a period"))?;
    // Newer subscriptions have only the time, older ones may have only the flag.
    let cancel_at =
        seconds(value, "/cancel_at").or(flag(value, "/cancel_at_period_end").then_some(period_end));
    let price = value.pointer("/items/data/0/price").unwrap_or(&Value::Null);
    let quantity = number(value, "/items/data/0/quantity").unwrap_or(1);
    let plan_keys = plan_keys(price);
    let end_reason = text(value, "/cancellation_details/reason");
    let state = SubscriptionState {
        status,
        price_key: plan_keys.first().cloned(),
        price: subscription_price(price, quantity),
        quantity,
        period_end,
        cancel_at,
        ended_unpaid: end_reason.as_deref() == Some("payment_failed"),
        end_reason,
        ended_at: seconds(value, "/ended_at"),
        unpaid_since: None,
        attempts: 0,
        next_attempt_at: None,
        live_mode: flag(value, "/livemode"),
    };
    Ok(Subscription {
        id: id_of(value)?,
        state,
        plan_keys,
        scheduled: None,
        customer: reference(value, "customer"),
        account: uid_of(value, "/metadata/account"),
        provision: uid_of(value, "/metadata/provision"),
    })
}

/// Reads what a period costs, unless the price has no fixed amount.
fn subscription_price(price: &Value, quantity: i64) -> Option<SubscriptionPrice> {
    let count = number(price, "/recurring/interval_count").unwrap_or(1);
    Some(SubscriptionPrice {
        amount: number(price, "/unit_amount")?.checked_mul(quantity)?,
        currency: text(price, "/currency")?,
        interval: text(price, "/recurring/interval").filter(|_| count == 1),
    })
}

/// Reads an invoice that the customer may see. A draft has no number yet and may still change.
pub(crate) fn invoice(value: &Value) -> Option<Invoice> {
    Some(Invoice {
        id: text(value, "/id")?,
        number: text(value, "/number"),
        created: seconds(value, "/created")?,
        amount: number(value, "/total")?,
        currency: text(value, "/currency")?,
        status: text(value, "/status").filter(|status| status != "draft")?,
        page: text(value, "/hosted_invoice_url"),
        pdf: text(value, "/invoice_pdf"),
    })
}

/// Reads the card of a payment method. Other methods have none.
pub(crate) fn card(payment_method: &Value) -> Option<Card> {
    let month = |pointer| number(payment_method, pointer).and_then(|number| u16::try_from(number).ok());
    Some(Card {
        brand: text(payment_method, "/card/brand")?,
        last4: text(payment_method, "/card/last4")?,
        exp_month: month("/card/exp_month")?,
        exp_year: month("/card/exp_year")?,
    })
}

pub(crate) fn webhook_endpoint(value: &Value) -> Option<WebhookEndpoint> {
    let events = value.pointer("/enabled_events").and_then(Value::as_array);
    let events = events.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    Some(WebhookEndpoint {
        url: text(value, "/url")?,
        enabled: text(value, "/status").as_deref() == Some("enabled"),
        events,
        api_version: text(value, "/api_version"),
        live_mode: flag(value, "/livemode"),
    })
}
