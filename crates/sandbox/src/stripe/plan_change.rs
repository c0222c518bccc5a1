//! Another price for a subscription: what is left of the old period is credited, what is left with the new price
//! charged.

use kernel::iso;
use serde_json::{Value, json};

use super::catalogue::Price;
use super::objects::InvoiceLine;
use super::step::Step;
use super::subscription::{anchor, due, period, set_period};
use super::{StripeError, invoice};
use crate::store::Object;

/// What becomes of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proration {
    /// It is on the next invoice.
    Pending,
    /// It is on a separate invoice, at once.
    Invoiced,
    /// It is dropped.
    None,
}

impl Proration {
    pub(super) fn parse(text: Option<&str>) -> Result<Self, StripeError> {
        match text {
            None | Some("create_prorations") => Ok(Self::Pending),
            Some("always_invoice") => Ok(Self::Invoiced),
            Some("none") => Ok(Self::None),
            Some(_) => Err(StripeError::invalid("parameter_invalid", "Invalid proration_behavior.")),
        }
    }
}

/// Gives a subscription another price. One with another interval starts a new period now, which is invoiced at once.
pub(crate) async fn apply(
    step: Step<'_>,
    object: &mut Object,
    price: &Price,
    proration: Proration,
    must_pay: bool,
) -> Result<(), StripeError> {
    let old = step.price_of(&object.body)?;
    if old.id() == price.id() {
        return Ok(());
    }
    let before = object.body.clone();
    let restarts = old.months != price.months;
    let mut lines = take_pending(object);
    if proration != Proration::None {
        lines.extend(prorations(step, &object.body, old, price, restarts));
    }
    set_price(&mut object.body, price, step.seconds());
    if restarts {
        object.body["billing_cycle_anchor"] = json!(step.seconds());
        let end = price.period_end(anchor(&object.body), step.at).seconds();
        set_period(&mut object.body, step.seconds(), end);
        lines.push(InvoiceLine::period(price, step.seconds(), end));
        move_planned_end(&before, &mut object.body, end);
        object.due = Some(due(&object.body));
    }
    if !restarts && (proration == Proration::Pending || lines.is_empty()) {
        object.inner["prorations"] = json!(lines);
        return step.save_and_emit("customer.subscription.updated", object, &before).await;
    }
    let mut made = invoice::create(step, object, "subscription_update", &lines).await?;
    step.save_and_emit("customer.subscription.updated", object, &before).await?;
    if made.body["status"] == "open" {
        let paid = invoice::collect(step, object, &mut made).await?;
        if must_pay && !paid {
            return Err(StripeError::DeclinedWithoutEffect);
        }
    }
    Ok(())
}

/// Changes the price at the end of a period, before the subscription renews with it.
pub(super) async fn apply_at_period_end(
    step: Step<'_>,
    object: &mut Object,
    price: &Price,
) -> Result<(), StripeError> {
    let old = step.price_of(&object.body)?;
    let before = object.body.clone();
    set_price(&mut object.body, price, step.seconds());
    if old.months != price.months {
        object.body["billing_cycle_anchor"] = json!(step.seconds());
    }
    step.save_and_emit("customer.subscription.updated", object, &before).await
}

fn set_price(body: &mut Value, price: &Price, now: i64) {
    let item = &mut body["items"]["data"][0];
    item["price"] = price.object(now);
    item["plan"] = price.plan_object(now);
}

/// Returns the lines that wait for the next invoice, and forgets them.
pub(super) fn take_pending(object: &mut Object) -> Vec<InvoiceLine> {
    let pending = object.inner["prorations"].take();
    object.inner["prorations"] = json!([]);
    serde_json::from_value(pending).unwrap_or_default()
}

fn prorations(step: Step<'_>, body: &Value, old: &Price, new: &Price, restarts: bool) -> Vec<InvoiceLine> {
    let (start, end) = period(body);
    let now = step.seconds().clamp(start, end);
    let share = |amount: i64| rounded(amount, end - now, end - start);
    let day: String = iso(step.at).chars().take(10).collect();
    let unused = format!("Unused time on {} after {day}", old.title);
    let mut lines = vec![InvoiceLine::prorated(old, -share(old.amount), unused, now, end)];
    if !restarts {
        let remaining = format!("Remaining time on {} after {day}", new.title);
        lines.push(InvoiceLine::prorated(new, share(new.amount), remaining, now, end));
    }
    lines
}

/// Returns `amount * part / whole`, rounded to the nearest unit.
fn rounded(amount: i64, part: i64, whole: i64) -> i64 {
    if whole <= 0 { 0 } else { (amount * part + whole / 2) / whole }
}

/// Moves an end that was planned for the end of the period to that of the new one.
fn move_planned_end(before: &Value, body: &mut Value, end: i64) {
    if before["cancel_at"].as_i64() == Some(period(before).1) {
        body["cancel_at"] = json!(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_an_amount_is_rounded_to_the_nearest_unit() {
        assert_eq!([rounded(4_900, 1, 3), rounded(4_900, 2, 3), rounded(4_900, 3, 3)], [1_633, 3_267, 4_900]);
        assert_eq!((rounded(4_900, 0, 30), rounded(4_900, 5, 0)), (0, 0));
    }

    #[test]
    fn the_word_of_the_api_decides_about_the_difference() {
        assert_eq!(Proration::parse(None).unwrap(), Proration::Pending);
        assert_eq!(Proration::parse(Some("always_invoice")).unwrap(), Proration::Invoiced);
        assert!(Proration::parse(Some("sometimes")).is_err());
    }
}
