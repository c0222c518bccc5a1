//! Subscriptions: created by a paid checkout, then renewed, failed, recovered and ended by the test clock.

use db::{WriteTx, none_if_empty};
use kernel::Timestamp;
use sea_orm::DbErr;
use serde_json::{Value, json};

use super::catalogue::Price;
use super::fields::Fields;
use super::{CallResult, StripeError, checkout, objects};
use crate::Sandbox;
use crate::store::{self, Kind, NewObject, Object};

/// Most renewals of one subscription in a sweep, so that moving the clock by decades terminates.
const MAX_RENEWALS: usize = 120;

/// The outcome of the next renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RenewalOutcome {
    /// The card is declined from the next renewal on.
    Fail,
    /// The card works again, and an open invoice is paid immediately.
    Recover,
    /// The subscription ends with the paid period.
    Cancel,
}

/// Creates the subscription of a paid session with its first invoice, and sends the events.
pub(super) async fn create(sandbox: &Sandbox, tx: &WriteTx, session: &Object) -> Result<Object, StripeError> {
    let price = price_of(sandbox, session)?;
    let now = sandbox.now();
    let end = price.period_end(now);
    let (id, invoice) = (sandbox.new_id("sub"), sandbox.new_id("in"));
    let body = objects::subscription(objects::SubscriptionValues {
        id: &id,
        item: &sandbox.new_id("si"),
        customer: &session.owner,
        price,
        start: now.seconds(),
        end: end.seconds(),
        invoice: &invoice,
        metadata: session.inner["metadata"].clone(),
    });
    let new = NewObject {
        id: id.clone(),
        kind: Kind::Subscription,
        owner: none_if_empty(session.owner.clone()),
        reference: none_if_empty(session.reference.clone()),
        body: body.clone(),
        inner: json!({ "plan": price.plan, "fails": false }),
        due: Some(end),
    };
    store::insert(tx, new, now).await?;
    sandbox.emit_event(tx, "customer.subscription.created", &body).await?;
    create_invoice(sandbox, tx, &invoice, &body, price, true).await?;
    store::by_id(tx, Kind::Subscription, &id).await?.ok_or_else(|| StripeError::missing("subscription"))
}

/// Creates an invoice and sends the event.
async fn create_invoice(
    sandbox: &Sandbox,
    tx: &WriteTx,
    id: &str,
    subscription: &Value,
    price: &Price,
    paid: bool,
) -> Result<(), StripeError> {
    let body = objects::invoice(id, subscription, price, paid, sandbox.seconds());
    let new = NewObject {
        id: id.to_owned(),
        kind: Kind::Invoice,
        owner: subscription["id"].as_str().map(str::to_owned),
        reference: None,
        body: body.clone(),
        inner: Value::Null,
        due: None,
    };
    store::insert(tx, new, sandbox.now()).await?;
    sandbox.emit_event(tx, if paid { "invoice.paid" } else { "invoice.payment_failed" }, &body).await?;
    Ok(())
}

/// Returns true if a checkout or subscription is due.
pub(crate) async fn is_due(sandbox: &Sandbox) -> Result<bool, DbErr> {
    for kind in [Kind::Checkout, Kind::Subscription] {
        if store::next_due(sandbox.db().read(), kind, sandbox.now()).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Runs everything that is due: checkouts expire, subscriptions renew or end.
pub(crate) async fn sweep(sandbox: &Sandbox) -> Result<(), StripeError> {
    while let Some(session) = store::next_due(sandbox.db().read(), Kind::Checkout, sandbox.now()).await? {
        let tx = sandbox.db().write_tx().await?;
        let current = store::by_id(&tx, Kind::Checkout, &session.id).await?;
        if let Some(current) = current.filter(|object| object.due == session.due) {
            checkout::expire(sandbox, &tx, current).await?;
        }
        tx.commit().await?;
    }
    while let Some(found) = store::next_due(sandbox.db().read(), Kind::Subscription, sandbox.now()).await? {
        let tx = sandbox.db().write_tx().await?;
        let current = store::by_id(&tx, Kind::Subscription, &found.id).await?;
        if let Some(mut current) = current.filter(|object| object.due == found.due) {
            catch_up(sandbox, &tx, &mut current).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// Renews a subscription period by period until it is up to date or has ended.
async fn catch_up(sandbox: &Sandbox, tx: &WriteTx, object: &mut Object) -> Result<(), StripeError> {
    for _ in 0..MAX_RENEWALS {
        let Some(end) = object.due.filter(|due| *due <= sandbox.now()) else { break };
        if object.body["cancel_at_period_end"] == true {
            end_now(sandbox, tx, object).await?;
        } else {
            renew(sandbox, tx, object, end).await?;
        }
    }
    if object.due.is_some_and(|due| due <= sandbox.now()) {
        object.due = Some(price_of(sandbox, object)?.period_end(sandbox.now()));
        store::change(tx, object).await?;
    }
    Ok(())
}

async fn renew(
    sandbox: &Sandbox,
    tx: &WriteTx,
    object: &mut Object,
    start: Timestamp,
) -> Result<(), StripeError> {
    let price = price_of(sandbox, object)?;
    let end = price.period_end(start);
    let paid = object.inner["fails"] != true;
    let invoice = sandbox.new_id("in");
    set_period(&mut object.body, start, end);
    object.body["latest_invoice"] = json!(invoice);
    object.body["status"] = json!(if paid { "active" } else { "past_due" });
    object.due = Some(end);
    store::change(tx, object).await?;
    create_invoice(sandbox, tx, &invoice, &object.body, price, paid).await?;
    sandbox.emit_event(tx, "customer.subscription.updated", &object.body).await?;
    Ok(())
}

fn set_period(body: &mut Value, start: Timestamp, end: Timestamp) {
    let (start, end) = (json!(start.seconds()), json!(end.seconds()));
    body["current_period_start"] = start.clone();
    body["current_period_end"] = end.clone();
    body["items"]["data"][0]["current_period_start"] = start;
    body["items"]["data"][0]["current_period_end"] = end;
}

async fn end_now(sandbox: &Sandbox, tx: &WriteTx, object: &mut Object) -> Result<(), StripeError> {
    object.body["status"] = json!("canceled");
    object.body["canceled_at"] = json!(sandbox.seconds());
    object.body["ended_at"] = json!(sandbox.seconds());
    object.body["cancellation_details"]["reason"] = json!("cancellation_requested");
    object.due = None;
    store::change(tx, object).await?;
    sandbox.emit_event(tx, "customer.subscription.deleted", &object.body).await?;
    Ok(())
}

/// Ends a subscription immediately.
pub(super) async fn cancel_now(sandbox: &Sandbox, tx: &WriteTx, id: &str) -> CallResult {
    let mut object = find_live(tx, id).await?;
    end_now(sandbox, tx, &mut object).await?;
    Ok(object.body)
}

/// Sets or clears cancellation at the end of the paid period.
pub(crate) async fn cancel_at_period_end(
    sandbox: &Sandbox,
    tx: &WriteTx,
    id: &str,
    flag: bool,
) -> CallResult {
    let mut object = find_live(tx, id).await?;
    if object.body["cancel_at_period_end"] != flag {
        object.body["cancel_at_period_end"] = json!(flag);
        object.body["cancel_at"] = if flag { object.body["current_period_end"].clone() } else { Value::Null };
        store::change(tx, &object).await?;
        sandbox.emit_event(tx, "customer.subscription.updated", &object.body).await?;
    }
    Ok(object.body)
}

/// Sets the outcome of the next renewal for the subscription of one of our records. Returns the subscription.
pub(crate) async fn set_renewal_outcome(
    sandbox: &Sandbox,
    reference: &str,
    outcome: RenewalOutcome,
) -> CallResult {
    let tx = sandbox.db().write_tx().await?;
    let found = store::by_reference(&tx, Kind::Subscription, reference).await?;
    let mut object = found.ok_or_else(|| StripeError::missing("subscription"))?;
    let body = match outcome {
        RenewalOutcome::Cancel => cancel_at_period_end(sandbox, &tx, &object.id, true).await?,
        RenewalOutcome::Fail => {
            object.inner["fails"] = json!(true);
            store::change(&tx, &object).await?;
            object.body
        }
        RenewalOutcome::Recover => {
            object.inner["fails"] = json!(false);
            if object.body["status"] == "past_due" {
                object.body["status"] = json!("active");
                pay_open_invoice(sandbox, &tx, &object).await?;
                sandbox.emit_event(&tx, "customer.subscription.updated", &object.body).await?;
            }
            store::change(&tx, &object).await?;
            object.body
        }
    };
    tx.commit().await?;
    Ok(body)
}

async fn pay_open_invoice(sandbox: &Sandbox, tx: &WriteTx, object: &Object) -> Result<(), StripeError> {
    let id = object.body["latest_invoice"].as_str().unwrap_or_default();
    let Some(mut invoice) = store::by_id(tx, Kind::Invoice, id).await? else { return Ok(()) };
    invoice.body = objects::invoice(id, &object.body, price_of(sandbox, object)?, true, sandbox.seconds());
    store::change(tx, &invoice).await?;
    sandbox.emit_event(tx, "invoice.paid", &invoice.body).await?;
    Ok(())
}

/// Refunds an invoice, once.
pub(super) async fn refund(sandbox: &Sandbox, tx: &WriteTx, fields: &Fields) -> CallResult {
    let intent = fields.get("payment_intent").unwrap_or_default();
    let invoice = store::by_id(tx, Kind::Invoice, &intent.replacen("pi_", "in_", 1)).await?;
    let invoice = invoice.filter(|invoice| invoice.body["status"] == "paid");
    let invoice = invoice.ok_or_else(|| StripeError::missing("payment_intent"))?;
    if !store::of_owner(tx, Kind::Refund, intent).await?.is_empty() {
        return Err(StripeError::invalid(
            "charge_already_refunded",
            "The payment has already been refunded.",
        ));
    }
    let id = sandbox.new_id("re");
    let cents = invoice.body["amount_paid"].as_i64().unwrap_or_default();
    let body = objects::refund(&id, intent, cents, sandbox.seconds());
    let new = NewObject {
        id,
        kind: Kind::Refund,
        owner: Some(intent.to_owned()),
        reference: None,
        body: body.clone(),
        inner: Value::Null,
        due: None,
    };
    store::insert(tx, new, sandbox.now()).await?;
    Ok(body)
}

/// Returns a subscription that has not ended.
async fn find_live(tx: &WriteTx, id: &str) -> Result<Object, StripeError> {
    let found = store::by_id(tx, Kind::Subscription, id).await?;
    found
        .filter(|object| object.body["status"] != "canceled")
        .ok_or_else(|| StripeError::missing("subscription"))
}

fn price_of<'a>(sandbox: &'a Sandbox, object: &Object) -> Result<&'a Price, StripeError> {
    let plan = object.inner["plan"].as_str().unwrap_or_default();
    sandbox.price_of_plan(plan).ok_or_else(|| StripeError::missing("price"))
}
