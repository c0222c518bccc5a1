//! What a script decides about the subscription of one of our records.

use serde_json::json;

use super::step::Step;
use super::subscription::{find_live, period, set_cancel_at};
use super::{CallResult, StripeError, customer, invoice};
use crate::Sandbox;
use crate::store::{self, Kind};

/// The outcome of the next renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RenewalOutcome {
    /// The card is declined from the next renewal on.
    Fail,
    /// The card works again, and every open invoice is paid immediately, oldest first.
    Recover,
    /// The subscription ends with the paid period.
    Cancel,
}

/// Sets the outcome of the next renewal for the subscription of one of our records. Returns the subscription.
pub(crate) async fn set_renewal_outcome(
    sandbox: &Sandbox,
    reference: &str,
    outcome: RenewalOutcome,
) -> CallResult {
    let tx = sandbox.db().write_tx().await?;
    let step = Step::now(sandbox, &tx);
    let found = store::by_reference(&tx, Kind::Subscription, reference).await?;
    let id = found.ok_or_else(|| StripeError::missing("subscription"))?.id;
    let mut object = find_live(step, &id).await?;
    match outcome {
        RenewalOutcome::Cancel => {
            let before = object.body.clone();
            let end = period(&object.body).1;
            set_cancel_at(&mut object, step.seconds(), Some(end), false);
            step.save_and_emit("customer.subscription.updated", &object, &before).await?;
        }
        RenewalOutcome::Fail => {
            object.inner["fails"] = json!(true);
            step.save(&object).await?;
        }
        RenewalOutcome::Recover => {
            object.inner["fails"] = json!(false);
            step.save(&object).await?;
            let card = customer::card_of(&tx, &object.body).await?;
            if card.is_none_or(|card| card.inner["declines"] == true) {
                customer::replace_card(step, &object.owner, &customer::NewCard::that_pays()).await?;
                object = find_live(step, &id).await?;
            }
            invoice::pay_all(step, &mut object).await?;
        }
    }
    tx.commit().await?;
    Ok(object.body)
}
