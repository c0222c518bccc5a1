//! Subscription schedules, by which a price changes at the end of a period.

use kernel::Timestamp;
use serde_json::{Value, json};

use super::catalogue::Price;
use super::fields::Fields;
use super::objects::Phase;
use super::plan_change::{self, Proration};
use super::step::Step;
use super::subscription::{find_live, period};
use super::{CallResult, StripeError, objects};
use crate::store::{Kind, NewObject, Object};

/// The most phases of a schedule, as at Stripe.
const MAX_PHASES: usize = 10;

/// Creates the schedule of a subscription: its only phase is the current period.
pub(super) async fn create(step: Step<'_>, fields: &Fields) -> CallResult {
    let id = fields.get("from_subscription").ok_or_else(|| {
        StripeError::invalid("parameter_missing", "The stand-in requires from_subscription.")
    })?;
    let mut subscription = find_live(step, id).await?;
    Ok(attach(step, &mut subscription).await?.body)
}

async fn attach(step: Step<'_>, subscription: &mut Object) -> Result<Object, StripeError> {
    if subscription.body["schedule"].is_string() {
        let message = "You cannot migrate a subscription that is already attached to a schedule.";
        return Err(StripeError::invalid("", message));
    }
    let (start, end) = period(&subscription.body);
    let price = step.price_of(&subscription.body)?.id();
    let phases = [Phase { price, start, end, prorates: true }];
    let id = step.sandbox.new_id("sub_sched");
    let new = NewObject {
        body: objects::schedule(&id, &subscription.body, &phases, step.seconds(), step.seconds()),
        id,
        kind: Kind::Schedule,
        owner: Some(subscription.owner.clone()),
        reference: None,
        inner: json!({ "phases": phases }),
        due: Some(Timestamp::from_seconds(end)),
    };
    let created = step.insert(new).await?;
    step.emit("subscription_schedule.created", &created.body).await?;
    let before = subscription.body.clone();
    subscription.body["schedule"] = json!(created.id);
    step.save_and_emit("customer.subscription.updated", subscription, &before).await?;
    Ok(created)
}

/// Changes the phases of a schedule.
pub(super) async fn update(step: Step<'_>, id: &str, fields: &Fields) -> CallResult {
    let mut schedule = find_active(step, id).await?;
    let subscription = subscription_of(step, &schedule).await?;
    if fields.has("phases[") {
        let phases = parse_phases(step, &schedule, fields)?;
        set_phases(step, &mut schedule, &subscription.body, &phases).await?;
    }
    if fields.get("end_behavior").is_some_and(|behavior| behavior != "release") {
        return Err(StripeError::invalid("", "The stand-in supports only end_behavior=release."));
    }
    Ok(schedule.body)
}

fn parse_phases(step: Step<'_>, schedule: &Object, fields: &Fields) -> Result<Vec<Phase>, StripeError> {
    let mut phases: Vec<Phase> = Vec::new();
    let current = phases_of(schedule).into_iter().find(|phase| phase.end > step.seconds());
    for index in 0..MAX_PHASES {
        let prefix = format!("phases[{index}]");
        if !fields.has(&prefix) {
            break;
        }
        let field = |name: &str| fields.get(&format!("{prefix}{name}")).map(str::to_owned);
        let price = field("[items][0][price]")
            .ok_or_else(|| StripeError::invalid("parameter_missing", format!("{prefix}[items][0][price]")))?;
        let price = step.price(&price)?;
        let previous = phases.last().map(|phase| phase.end);
        let given = time(field("[start_date]"), step.seconds())?;
        let start =
            previous.or(given).or(current.as_ref().map(|phase| phase.start)).unwrap_or(step.seconds());
        let end = time(field("[end_date]"), step.seconds())?;
        let end = end.unwrap_or_else(|| one_period(price, start));
        if end <= start {
            return Err(StripeError::invalid("", format!("{prefix}[end_date] must be after its start.")));
        }
        let prorates = field("[proration_behavior]").as_deref() != Some("none");
        phases.push(Phase { price: price.id(), start, end, prorates });
    }
    let starts_with_current = current.zip(phases.first()).is_none_or(|(now, first)| now.start == first.start);
    if phases.is_empty() || !starts_with_current {
        let message = "The first phase must be the current one, with its start_date and its items.";
        return Err(StripeError::invalid("", message));
    }
    Ok(phases)
}

fn time(text: Option<String>, now: i64) -> Result<Option<i64>, StripeError> {
    match text.as_deref() {
        None => Ok(None),
        Some("now") => Ok(Some(now)),
        Some(text) => {
            let invalid =
                |_| StripeError::invalid("parameter_invalid_integer", "A date must be a time in seconds.");
            text.parse().map(Some).map_err(invalid)
        }
    }
}

fn one_period(price: &Price, start: i64) -> i64 {
    let start = Timestamp::from_seconds(start);
    price.period_end(start, start).seconds()
}

async fn set_phases(
    step: Step<'_>,
    schedule: &mut Object,
    subscription: &Value,
    phases: &[Phase],
) -> Result<(), StripeError> {
    let before = schedule.body.clone();
    let created = before["created"].as_i64().unwrap_or_default();
    schedule.body = objects::schedule(&schedule.id, subscription, phases, step.seconds(), created);
    schedule.inner = json!({ "phases": phases });
    schedule.due = next_boundary(phases, step.seconds());
    step.save_and_emit("subscription_schedule.updated", schedule, &before).await
}

/// Detaches a schedule; its subscription keeps the current price.
pub(super) async fn release(step: Step<'_>, id: &str) -> CallResult {
    let mut schedule = find_active(step, id).await?;
    finish(step, &mut schedule, "released").await?;
    Ok(schedule.body)
}

/// Gives a subscription another price at the end of its period, by a schedule.
pub(crate) async fn change_at_period_end(
    step: Step<'_>,
    subscription: &mut Object,
    price: &Price,
) -> Result<(), StripeError> {
    let mut schedule = attach(step, subscription).await?;
    let mut phases = phases_of(&schedule);
    let start = period(&subscription.body).1;
    phases.push(Phase { price: price.id(), start, end: one_period(price, start), prorates: false });
    set_phases(step, &mut schedule, &subscription.body, &phases).await
}

/// Drops what was planned for a subscription.
pub(crate) async fn release_of(step: Step<'_>, subscription: &mut Object) -> Result<(), StripeError> {
    if let Some(id) = subscription.body["schedule"].as_str().map(str::to_owned) {
        release(step, &id).await?;
        *subscription = step.find(Kind::Subscription, &subscription.id).await?;
    }
    Ok(())
}

/// Ends the schedule of a subscription that has ended.
pub(super) async fn cancel_of(step: Step<'_>, subscription: &Value) -> Result<(), StripeError> {
    let Some(id) = subscription["schedule"].as_str() else { return Ok(()) };
    let mut schedule = step.find(Kind::Schedule, id).await?;
    schedule.body["status"] = json!("canceled");
    schedule.body["canceled_at"] = json!(step.seconds());
    schedule.body["current_phase"] = Value::Null;
    schedule.due = None;
    step.save(&schedule).await?;
    step.emit("subscription_schedule.canceled", &schedule.body).await
}

/// Runs what is due: the next phase begins, or the last one is over and the schedule is released.
pub(super) async fn advance(step: Step<'_>, mut schedule: Object) -> Result<(), StripeError> {
    let phases = phases_of(&schedule);
    let Some(phase) = phases.iter().find(|phase| phase.start <= step.seconds() && step.seconds() < phase.end)
    else {
        return finish(step, &mut schedule, "released").await;
    };
    let mut subscription = subscription_of(step, &schedule).await?;
    let price = step.price(&phase.price)?;
    if step.seconds() == period(&subscription.body).1 {
        plan_change::apply_at_period_end(step, &mut subscription, price).await?;
    } else {
        let proration = if phase.prorates { Proration::Pending } else { Proration::None };
        plan_change::apply(step, &mut subscription, price, proration, false).await?;
    }
    set_phases(step, &mut schedule, &subscription.body, &phases).await
}

async fn finish(step: Step<'_>, schedule: &mut Object, status: &str) -> Result<(), StripeError> {
    let mut subscription = subscription_of(step, schedule).await?;
    schedule.body["status"] = json!(status);
    schedule.body["released_at"] = json!(step.seconds());
    schedule.body["released_subscription"] = json!(subscription.id);
    schedule.body["subscription"] = Value::Null;
    schedule.body["current_phase"] = Value::Null;
    schedule.due = None;
    step.save(schedule).await?;
    step.emit("subscription_schedule.released", &schedule.body).await?;
    let before = subscription.body.clone();
    subscription.body["schedule"] = Value::Null;
    step.save_and_emit("customer.subscription.updated", &subscription, &before).await
}

async fn find_active(step: Step<'_>, id: &str) -> Result<Object, StripeError> {
    let schedule = step.find(Kind::Schedule, id).await?;
    if schedule.body["status"] == "active" {
        return Ok(schedule);
    }
    Err(StripeError::invalid("", "The subscription schedule is not active any more."))
}

async fn subscription_of(step: Step<'_>, schedule: &Object) -> Result<Object, StripeError> {
    step.find(Kind::Subscription, schedule.body["subscription"].as_str().unwrap_or_default()).await
}

fn phases_of(schedule: &Object) -> Vec<Phase> {
    serde_json::from_value(schedule.inner["phases"].clone()).unwrap_or_default()
}

/// Returns when a phase begins or the last one is over.
fn next_boundary(phases: &[Phase], now: i64) -> Option<Timestamp> {
    let ends = phases.iter().map(|phase| phase.end).filter(|end| *end > now);
    ends.min().map(Timestamp::from_seconds)
}
