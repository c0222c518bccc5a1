//! Checkout sessions and the effect of a card on them.

use kernel::Timestamp;
use serde_json::{Value, json};

use super::customer::{self, NewCard};
use super::fields::Fields;
use super::step::Step;
use super::{CallResult, StripeError, objects, subscription};
use crate::Sandbox;
use crate::store::{self, Kind, NewObject, Object};

/// The outcome of a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Outcome {
    /// The card pays.
    Pay,
    /// The bank declines the card.
    Decline,
    /// The buyer gives up.
    Cancel,
}

pub(super) async fn create(step: Step<'_>, fields: &Fields) -> CallResult {
    if fields.get("mode") != Some("subscription") {
        return Err(StripeError::invalid(
            "parameter_invalid",
            "The stand-in supports only mode=subscription.",
        ));
    }
    let required = |name: &'static str| {
        fields.get(name).ok_or_else(|| StripeError::invalid("parameter_missing", format!("Missing: {name}.")))
    };
    let price = step.price(required("line_items[0][price]")?)?;
    let customer = required("customer")?;
    if store::by_id(step.tx, Kind::Customer, customer).await?.is_none() {
        return Err(StripeError::invalid("resource_missing", format!("No such customer: '{customer}'")));
    }
    let expires = expiry(step.at, fields)?;
    let id = step.sandbox.new_id("cs_test");
    let reference = fields.get("client_reference_id");
    let body = objects::checkout(objects::CheckoutValues {
        id: &id,
        created: step.seconds(),
        expires_at: expires.seconds(),
        url: step.sandbox.page(&format!("pay/{id}")),
        customer,
        reference,
        success_url: required("success_url")?,
        cancel_url: fields.get("cancel_url"),
        metadata: fields.map("metadata"),
        price,
    });
    let new = NewObject {
        id,
        kind: Kind::Checkout,
        owner: Some(customer.to_owned()),
        reference: reference.map(str::to_owned),
        body,
        inner: json!({ "plan": price.plan, "metadata": fields.map("subscription_data[metadata]") }),
        due: Some(expires),
    };
    Ok(step.insert(new).await?.body)
}

fn expiry(now: Timestamp, fields: &Fields) -> Result<Timestamp, StripeError> {
    let expires = fields
        .get("expires_at")
        .and_then(|text| text.parse::<i64>().ok())
        .map_or(now + kernel::DAY, Timestamp::from_seconds);
    let is_allowed = now + 29 * kernel::MINUTE..=now + kernel::DAY + kernel::MINUTE;
    if is_allowed.contains(&expires) {
        return Ok(expires);
    }
    Err(StripeError::invalid("parameter_invalid", "expires_at must be 30 minutes to 24 hours from now."))
}

/// Expires a session at the call of the client, which is refused unless the session is open.
pub(super) async fn expire_open(step: Step<'_>, id: &str) -> CallResult {
    let session = step.find(Kind::Checkout, id).await?;
    if session.body["status"] != "open" {
        let status = session.body["status"].as_str().unwrap_or_default();
        let message = format!(
            "Only Checkout Sessions with a status in [\"open\"] can be expired. This one has {status}."
        );
        return Err(StripeError::invalid("", message));
    }
    Ok(expire(step, session).await?.body)
}

/// Expires an open session and sends the event.
pub(super) async fn expire(step: Step<'_>, mut session: Object) -> Result<Object, StripeError> {
    session.body["status"] = json!("expired");
    session.body["url"] = Value::Null;
    session.due = None;
    step.save(&session).await?;
    step.emit("checkout.session.expired", &session.body).await?;
    Ok(session)
}

/// Applies an outcome to a session and returns where the browser goes. A declined or cancelled session stays
/// open for another try; a paid one leads to its success page.
pub(crate) async fn settle(
    sandbox: &Sandbox,
    id: &str,
    outcome: Outcome,
    card: &NewCard,
) -> Result<String, StripeError> {
    let tx = sandbox.db().write_tx().await?;
    let step = Step::now(sandbox, &tx);
    let mut session = step.find(Kind::Checkout, id).await?;
    let success = session.body["success_url"].as_str().unwrap_or_default();
    let success = success.replace("{CHECKOUT_SESSION_ID}", id);
    let cancelled = session.body["cancel_url"].as_str().map_or_else(|| sandbox.page("mail"), str::to_owned);
    if session.body["status"] == "complete" {
        return Ok(success);
    }
    let open = session.body["status"] == "open" && session.due.is_none_or(|due| due > step.at);
    if !open || outcome != Outcome::Pay {
        return Ok(cancelled);
    }
    let card = customer::add_card(step, &session.owner, card).await?;
    let created = subscription::create(step, &session, &card).await?;
    session.body["status"] = json!("complete");
    session.body["payment_status"] = json!("paid");
    session.body["url"] = Value::Null;
    session.body["subscription"] = created.body["id"].clone();
    session.body["invoice"] = created.body["latest_invoice"].clone();
    session.due = None;
    step.save(&session).await?;
    step.emit("checkout.session.completed", &session.body).await?;
    tx.commit().await?;
    Ok(success)
}
