//! Invoices: made, tried again while they are not paid, paid, voided.

use kernel::{DAY, Timestamp};
use serde_json::{Value, json};

use super::faults::AfterRetries;
use super::fields::Fields;
use super::objects::{InvoiceLine, InvoiceValues};
use super::step::Step;
use super::{CallResult, StripeError, customer, objects, subscription};
use crate::store::{self, Kind, NewObject, Object};

/// On which days after the first attempt an invoice is tried again.
const RETRY_DAYS: [i64; 4] = [1, 3, 5, 7];

/// Makes an invoice of a subscription and returns it. It is a draft if its subscription is `unpaid`; otherwise the
/// caller collects it.
pub(super) async fn create(
    step: Step<'_>,
    subscription: &mut Object,
    reason: &str,
    lines: &[InvoiceLine],
) -> Result<Object, StripeError> {
    let id = step.sandbox.new_id("in");
    let customer = step.find(Kind::Customer, &subscription.owner).await?;
    let balance = customer.body["balance"].as_i64().unwrap_or_default();
    let values = InvoiceValues {
        id: &id,
        subscription: &subscription.body,
        reason,
        lines,
        balance,
        created: step.seconds(),
    };
    customer::set_balance(step, &customer.id, values.balance_after()).await?;
    let mut body = objects::invoice(&values);
    if subscription.body["status"] == "unpaid" {
        body["status"] = json!("draft");
        body["auto_advance"] = json!(false);
        body["status_transitions"]["finalized_at"] = Value::Null;
    }
    let new = NewObject {
        id: id.clone(),
        kind: Kind::Invoice,
        owner: Some(subscription.id.clone()),
        reference: None,
        body,
        inner: Value::Null,
        due: None,
    };
    subscription.body["latest_invoice"] = json!(id);
    step.insert(new).await
}

/// Tries to collect an invoice, as the provider does by itself. Returns whether it is paid.
pub(super) async fn collect(
    step: Step<'_>,
    subscription: &mut Object,
    invoice: &mut Object,
) -> Result<bool, StripeError> {
    let attempts = invoice.body["attempt_count"].as_u64().unwrap_or_default() + 1;
    invoice.body["attempt_count"] = json!(attempts);
    invoice.body["attempted"] = json!(true);
    if is_paid_by_balance(invoice) || card_pays(step, subscription).await? {
        pay(step, subscription, invoice).await?;
        return Ok(true);
    }
    let first = Timestamp::from_seconds(invoice.body["created"].as_i64().unwrap_or_default());
    let next = usize::try_from(attempts - 1).ok().and_then(|index| RETRY_DAYS.get(index));
    let next = next.map(|days| first + days * DAY);
    invoice.due = next;
    invoice.body["next_payment_attempt"] = json!(next.map(Timestamp::seconds));
    invoice.body["auto_advance"] = json!(next.is_some());
    step.save(invoice).await?;
    step.emit("invoice.payment_failed", &invoice.body).await?;
    if next.is_some() || step.sandbox.faults().after_retries() == AfterRetries::PastDue {
        set_status(step, subscription, "past_due").await?;
    } else if step.sandbox.faults().after_retries() == AfterRetries::Unpaid {
        set_status(step, subscription, "unpaid").await?;
    } else {
        subscription::end(step, subscription, "payment_failed").await?;
    }
    Ok(false)
}

/// Runs the attempt that is due.
pub(super) async fn retry(step: Step<'_>, mut invoice: Object) -> Result<(), StripeError> {
    invoice.due = None;
    let mut subscription = step.find(Kind::Subscription, &invoice.owner).await?;
    if invoice.body["status"] != "open" || subscription.body["status"] == "canceled" {
        return step.save(&invoice).await;
    }
    collect(step, &mut subscription, &mut invoice).await.map(drop)
}

/// Stops the attempts to collect the invoices of a subscription that has ended. They stay open.
pub(super) async fn stop_collecting(step: Step<'_>, subscription: &str) -> Result<(), StripeError> {
    for mut invoice in store::of_owner(step.tx, Kind::Invoice, subscription).await? {
        if invoice.body["status"] == "open" {
            invoice.due = None;
            invoice.body["auto_advance"] = json!(false);
            invoice.body["next_payment_attempt"] = Value::Null;
            step.save(&invoice).await?;
        }
    }
    Ok(())
}

/// Pays an invoice, and makes its subscription active if it is the latest one.
pub(super) async fn pay(
    step: Step<'_>,
    subscription: &mut Object,
    invoice: &mut Object,
) -> Result<(), StripeError> {
    let body = &mut invoice.body;
    if body["status"] == "draft" {
        body["status_transitions"]["finalized_at"] = json!(step.seconds());
        body["effective_at"] = json!(step.seconds());
    }
    body["status"] = json!("paid");
    body["attempted"] = json!(true);
    body["amount_paid"] = body["amount_due"].clone();
    body["amount_remaining"] = json!(0);
    body["next_payment_attempt"] = Value::Null;
    body["status_transitions"]["paid_at"] = json!(step.seconds());
    invoice.due = None;
    step.save(invoice).await?;
    step.emit("invoice.paid", &invoice.body).await?;
    let is_latest = subscription.body["latest_invoice"] == json!(invoice.id);
    if is_latest && subscription.body["status"] != "canceled" {
        set_status(step, subscription, "active").await?;
    }
    Ok(())
}

/// Pays everything that is due for a subscription, oldest first.
pub(crate) async fn pay_all(step: Step<'_>, subscription: &mut Object) -> Result<(), StripeError> {
    let mut invoices = store::of_owner(step.tx, Kind::Invoice, &subscription.id).await?;
    invoices.reverse();
    for mut invoice in invoices {
        if invoice.body["status"] == "open" || invoice.body["status"] == "draft" {
            pay(step, subscription, &mut invoice).await?;
        }
    }
    Ok(())
}

/// Pays an invoice at the call of the client or of the customer. A card that is declined fails the call, and no
/// further attempt is planned or dropped by it.
pub(crate) async fn pay_now(step: Step<'_>, id: &str, fields: &Fields) -> CallResult {
    let mut invoice = step.find(Kind::Invoice, id).await?;
    let mut subscription = step.find(Kind::Subscription, &invoice.owner).await?;
    match invoice.body["status"].as_str() {
        Some("open" | "draft" | "uncollectible") => {}
        Some("paid") => return Err(StripeError::invalid("", "Invoice is already paid")),
        _ => return Err(StripeError::invalid("", "This invoice can no longer be paid.")),
    }
    let out_of_band = fields.get("paid_out_of_band") == Some("true");
    if out_of_band || is_paid_by_balance(&invoice) || card_pays(step, &subscription).await? {
        pay(step, &mut subscription, &mut invoice).await?;
        return Ok(invoice.body);
    }
    if invoice.body["attempt_count"] == 0 {
        invoice.body["attempt_count"] = json!(1);
    }
    invoice.body["attempted"] = json!(true);
    step.save(&invoice).await?;
    step.emit("invoice.payment_failed", &invoice.body).await?;
    Err(StripeError::Declined)
}

/// Voids an open invoice. The one before it then decides about the subscription.
pub(super) async fn void(step: Step<'_>, id: &str) -> CallResult {
    let mut invoice = step.find(Kind::Invoice, id).await?;
    if invoice.body["status"] != "open" && invoice.body["status"] != "uncollectible" {
        return Err(StripeError::invalid("", "You can only void an open or uncollectible invoice."));
    }
    invoice.body["status"] = json!("void");
    invoice.body["status_transitions"]["voided_at"] = json!(step.seconds());
    invoice.body["next_payment_attempt"] = Value::Null;
    invoice.body["auto_advance"] = json!(false);
    invoice.due = None;
    step.save(&invoice).await?;
    step.emit("invoice.voided", &invoice.body).await?;
    let mut subscription = step.find(Kind::Subscription, &invoice.owner).await?;
    let invoices = store::of_owner(step.tx, Kind::Invoice, &subscription.id).await?;
    let decides = invoices.iter().find(|one| one.body["status"] != "void" && one.body["status"] != "draft");
    let is_behind = matches!(subscription.body["status"].as_str(), Some("past_due" | "unpaid"));
    if is_behind && decides.is_none_or(|one| one.body["status"] == "paid") {
        set_status(step, &mut subscription, "active").await?;
    }
    Ok(invoice.body)
}

/// Saves a subscription, and sends the event if its status is another one.
async fn set_status(step: Step<'_>, subscription: &mut Object, status: &str) -> Result<(), StripeError> {
    if subscription.body["status"] == status {
        return step.save(subscription).await;
    }
    let before = subscription.body.clone();
    subscription.body["status"] = json!(status);
    step.save_and_emit("customer.subscription.updated", subscription, &before).await
}

fn is_paid_by_balance(invoice: &Object) -> bool {
    invoice.body["amount_due"] == 0
}

async fn card_pays(step: Step<'_>, subscription: &Object) -> Result<bool, StripeError> {
    if subscription.inner["fails"] == true {
        return Ok(false);
    }
    let card = customer::card_of(step.tx, &subscription.body).await?;
    Ok(card.is_some_and(|card| card.inner["declines"] != true))
}
