//! Subscriptions: created by a paid checkout, changed by calls, renewed and ended by the clock.

use db::none_if_empty;
use kernel::Timestamp;
use serde_json::{Value, json};

use super::fields::Fields;
use super::objects::InvoiceLine;
use super::plan_change::{self, Proration};
use super::step::Step;
use super::{CallResult, StripeError, invoice, objects, schedule};
use crate::store::{self, Kind, NewObject, Object};

/// Creates the subscription of a paid session with its first invoice, and sends the events.
pub(super) async fn create(step: Step<'_>, session: &Object, card: &str) -> Result<Object, StripeError> {
    let plan = session.inner["plan"].as_str().unwrap_or_default();
    let price = step.sandbox.price_of_plan(plan).ok_or_else(|| StripeError::missing("price"))?;
    let end = price.period_end(step.at, step.at);
    let id = step.sandbox.new_id("sub");
    let body = objects::subscription(objects::SubscriptionValues {
        id: &id,
        item: &step.sandbox.new_id("si"),
        customer: &session.owner,
        card,
        price,
        start: step.seconds(),
        end: end.seconds(),
        metadata: session.inner["metadata"].clone(),
    });
    let new = NewObject {
        id,
        kind: Kind::Subscription,
        owner: none_if_empty(session.owner.clone()),
        reference: none_if_empty(session.reference.clone()),
        body,
        inner: json!({ "fails": false, "prorations": [] }),
        due: Some(end),
    };
    let mut created = step.insert(new).await?;
    let lines = [InvoiceLine::period(price, step.seconds(), end.seconds())];
    let mut first = invoice::create(step, &mut created, "subscription_create", &lines).await?;
    step.save(&created).await?;
    step.emit("customer.subscription.created", &created.body).await?;
    invoice::pay(step, &mut created, &mut first).await?;
    Ok(created)
}

/// Runs what is due: the subscription ends as planned, or renews.
pub(super) async fn advance(step: Step<'_>, mut object: Object) -> Result<(), StripeError> {
    if object.body["status"] == "canceled" {
        object.due = None;
        return step.save(&object).await;
    }
    match object.body["cancel_at"].as_i64() {
        Some(at) if at <= step.seconds() => end(step, &mut object, "cancellation_requested").await,
        _ => renew(step, &mut object).await,
    }
}

async fn renew(step: Step<'_>, object: &mut Object) -> Result<(), StripeError> {
    let price = step.price_of(&object.body)?;
    let start = step.seconds();
    let end = price.period_end(anchor(&object.body), Timestamp::from_seconds(start));
    let before = object.body.clone();
    set_period(&mut object.body, start, end.seconds());
    object.due = Some(due(&object.body));
    let mut lines: Vec<InvoiceLine> = plan_change::take_pending(object);
    lines.push(InvoiceLine::period(price, start, end.seconds()));
    let mut made = invoice::create(step, object, "subscription_cycle", &lines).await?;
    step.save_and_emit("customer.subscription.updated", object, &before).await?;
    if made.body["status"] == "open" {
        invoice::collect(step, object, &mut made).await?;
    }
    Ok(())
}

/// Ends a subscription. A reason that is known already stays.
pub(super) async fn end(step: Step<'_>, object: &mut Object, reason: &str) -> Result<(), StripeError> {
    let body = &mut object.body;
    body["status"] = json!("canceled");
    if body["canceled_at"].is_null() {
        body["canceled_at"] = json!(step.seconds());
    }
    body["ended_at"] = json!(step.seconds());
    body["cancellation_details"]["reason"] = json!(reason);
    object.due = None;
    step.save(object).await?;
    step.emit("customer.subscription.deleted", &object.body).await?;
    schedule::cancel_of(step, &object.body).await?;
    invoice::stop_collecting(step, &object.id).await
}

/// Ends a subscription immediately.
pub(super) async fn cancel_now(step: Step<'_>, id: &str) -> CallResult {
    let mut object = find_live(step, id).await?;
    end(step, &mut object, "cancellation_requested").await?;
    Ok(object.body)
}

/// Changes what the call names, and nothing else.
pub(super) async fn update(step: Step<'_>, id: &str, fields: &Fields) -> CallResult {
    let mut object = find_live(step, id).await?;
    refuse_if_scheduled(&object.body, fields)?;
    let before = object.body.clone();
    if let Some(card) = fields.get("default_payment_method") {
        object.body["default_payment_method"] = json!(step.find(Kind::PaymentMethod, card).await?.id);
    }
    for (name, value) in fields.map("metadata").as_object().into_iter().flatten() {
        object.body["metadata"][name] = value.clone();
    }
    plan_end(&mut object, step.seconds(), fields)?;
    if object.body != before {
        step.save_and_emit("customer.subscription.updated", &object, &before).await?;
    }
    if let Some(price) = fields.get("items[0][price]") {
        check_item(&object.body, fields)?;
        let price = step.price(price)?;
        let proration = Proration::parse(fields.get("proration_behavior"))?;
        let must_pay = fields.get("payment_behavior") == Some("error_if_incomplete");
        plan_change::apply(step, &mut object, price, proration, must_pay).await?;
    }
    Ok(object.body)
}

fn refuse_if_scheduled(body: &Value, fields: &Fields) -> Result<(), StripeError> {
    let Some(schedule) = body["schedule"].as_str() else { return Ok(()) };
    let what = if fields.has("items[") {
        "any price or quantity"
    } else if fields.has("cancel_at") {
        "any cancelation behavior"
    } else {
        return Ok(());
    };
    let message = format!(
        "The subscription is managed by the subscription schedule `{schedule}`, and updating {what} directly is \
         not allowed. Please update the schedule instead."
    );
    Err(StripeError::invalid("", message))
}

fn check_item(body: &Value, fields: &Fields) -> Result<(), StripeError> {
    let own = body["items"]["data"][0]["id"].as_str();
    match fields.get("items[0][id]") {
        sent if sent == own => Ok(()),
        Some(other) => {
            Err(StripeError::invalid("resource_missing", format!("No such subscription item: '{other}'")))
        }
        None => {
            Err(StripeError::invalid("", "The stand-in changes the only item, so items[0][id] must name it."))
        }
    }
}

/// Plans the end of a subscription, or takes it back, if the call says so.
fn plan_end(object: &mut Object, now: i64, fields: &Fields) -> Result<(), StripeError> {
    let end = period(&object.body).1;
    let flag = match fields.get("cancel_at_period_end") {
        None => None,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(_) => return Err(StripeError::invalid("parameter_invalid", "cancel_at_period_end")),
    };
    let at = match fields.sent("cancel_at") {
        None => None,
        Some("") => Some(None),
        Some("min_period_end" | "max_period_end") => Some(Some(end)),
        Some(text) => {
            let at = text.parse().ok().filter(|at| *at > now);
            Some(Some(at.ok_or_else(|| {
                StripeError::invalid("parameter_invalid", "cancel_at must be a time in the future.")
            })?))
        }
    };
    let at = match (flag, at) {
        (None, None) => return Ok(()),
        (_, Some(at)) => at,
        (Some(flag), None) => flag.then_some(end),
    };
    set_cancel_at(object, now, at, flag == Some(true));
    Ok(())
}

/// Sets when the subscription ends, or that it renews. The portal of the pinned version sets the time alone.
pub(crate) fn set_cancel_at(object: &mut Object, now: i64, at: Option<i64>, flag: bool) {
    let body = &mut object.body;
    body["cancel_at"] = json!(at);
    body["cancel_at_period_end"] = json!(flag);
    body["canceled_at"] = json!(at.map(|_| now));
    body["cancellation_details"]["reason"] = json!(at.map(|_| "cancellation_requested"));
    object.due = Some(due(&object.body));
}

/// Returns a subscription that has not ended.
pub(crate) async fn find_live(step: Step<'_>, id: &str) -> Result<Object, StripeError> {
    let found = store::by_id(step.tx, Kind::Subscription, id).await?;
    found
        .filter(|object| object.body["status"] != "canceled")
        .ok_or_else(|| StripeError::missing("subscription"))
}

/// Returns start and end of the current period.
pub(crate) fn period(body: &Value) -> (i64, i64) {
    let item = &body["items"]["data"][0];
    let second = |name: &str| item[name].as_i64().unwrap_or_default();
    (second("current_period_start"), second("current_period_end"))
}

pub(super) fn set_period(body: &mut Value, start: i64, end: i64) {
    body["items"]["data"][0]["current_period_start"] = json!(start);
    body["items"]["data"][0]["current_period_end"] = json!(end);
}

/// Returns the time from which periods are counted.
pub(super) fn anchor(body: &Value) -> Timestamp {
    Timestamp::from_seconds(body["billing_cycle_anchor"].as_i64().unwrap_or_default())
}

/// Returns when the subscription renews or ends.
pub(super) fn due(body: &Value) -> Timestamp {
    let end = period(body).1;
    Timestamp::from_seconds(body["cancel_at"].as_i64().map_or(end, |at| at.min(end)))
}
