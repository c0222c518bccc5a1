//! Customers, checkout sessions, portal sessions, and the effect of a card on a session.

use db::WriteTx;
use kernel::{HOUR, Millis, Timestamp};
use serde_json::{Value, json};

use super::fields::Fields;
use super::{CallResult, StripeError, objects, subscription};
use crate::Sandbox;
use crate::store::{self, Kind, NewObject, Object};

/// How long a portal address works.
const PORTAL_LIFETIME: Millis = HOUR;

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

/// Longest name of a customer, in characters.
const NAME_MAX: usize = 256;

pub(super) async fn create_customer(sandbox: &Sandbox, tx: &WriteTx, fields: &Fields) -> CallResult {
    check_details(fields)?;
    let id = sandbox.new_id("cus");
    let metadata = fields.map("metadata");
    let body = objects::customer(&id, sandbox.seconds(), fields.get("name"), fields.get("email"), metadata);
    let new = NewObject {
        id,
        kind: Kind::Customer,
        owner: None,
        reference: body["metadata"]["account"].as_str().map(str::to_owned),
        body: body.clone(),
        inner: Value::Null,
        due: None,
    };
    store::insert(tx, new, sandbox.now()).await?;
    Ok(body)
}

pub(super) async fn update_customer(
    sandbox: &Sandbox,
    tx: &WriteTx,
    id: &str,
    fields: &Fields,
) -> CallResult {
    check_details(fields)?;
    let mut customer =
        store::by_id(tx, Kind::Customer, id).await?.ok_or_else(|| StripeError::missing("customer"))?;
    for name in ["name", "email"] {
        if let Some(value) = fields.get(name) {
            customer.body[name] = json!(value);
        }
    }
    store::change(tx, &customer).await?;
    sandbox.emit_event(tx, "customer.updated", &customer.body).await?;
    Ok(customer.body)
}

fn check_details(fields: &Fields) -> Result<(), StripeError> {
    if fields.get("name").is_some_and(|name| name.chars().count() > NAME_MAX) {
        let message = format!("Invalid string; must be at most {NAME_MAX} characters");
        return Err(StripeError::invalid("invalid_request_error", message));
    }
    match fields.get("email") {
        Some(email) if kernel::Email::parse(email).is_none() => {
            Err(StripeError::invalid("email_invalid", format!("Invalid email address: {email}")))
        }
        _ => Ok(()),
    }
}

pub(super) async fn create_session(sandbox: &Sandbox, tx: &WriteTx, fields: &Fields) -> CallResult {
    if fields.get("mode") != Some("subscription") {
        return Err(StripeError::invalid(
            "parameter_invalid",
            "The stand-in supports only mode=subscription.",
        ));
    }
    let required = |name: &'static str| {
        fields.get(name).ok_or_else(|| StripeError::invalid("parameter_missing", format!("Missing: {name}.")))
    };
    let price_id = required("line_items[0][price]")?;
    let price = sandbox.price(|price| price.id() == price_id).ok_or_else(|| StripeError::missing("price"))?;
    let customer = required("customer")?;
    if store::by_id(tx, Kind::Customer, customer).await?.is_none() {
        return Err(StripeError::invalid("resource_missing", format!("No such customer: '{customer}'")));
    }
    let now = sandbox.now();
    let expires = fields
        .get("expires_at")
        .and_then(|text| text.parse::<i64>().ok())
        .map_or(now + kernel::DAY, Timestamp::from_seconds);
    if !(now + 29 * kernel::MINUTE..=now + kernel::DAY + kernel::MINUTE).contains(&expires) {
        return Err(StripeError::invalid(
            "parameter_invalid",
            "expires_at must be 30 minutes to 24 hours from now.",
        ));
    }
    let id = sandbox.new_id("cs_test");
    let reference = fields.get("client_reference_id");
    let body = objects::checkout(objects::CheckoutValues {
        id: &id,
        created: sandbox.seconds(),
        expires_at: expires.seconds(),
        url: sandbox.page(&format!("pay/{id}")),
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
        body: body.clone(),
        inner: json!({ "plan": price.plan, "metadata": fields.map("subscription_data[metadata]") }),
        due: Some(expires),
    };
    store::insert(tx, new, now).await?;
    Ok(body)
}

/// Expires an open session and sends the event.
pub(super) async fn expire(
    sandbox: &Sandbox,
    tx: &WriteTx,
    mut session: Object,
) -> Result<Object, StripeError> {
    session.body["status"] = json!("expired");
    session.body["url"] = Value::Null;
    session.due = None;
    store::change(tx, &session).await?;
    sandbox.emit_event(tx, "checkout.session.expired", &session.body).await?;
    Ok(session)
}

pub(super) async fn open_portal(sandbox: &Sandbox, tx: &WriteTx, fields: &Fields) -> CallResult {
    let customer = fields.get("customer").unwrap_or_default();
    if store::by_id(tx, Kind::Customer, customer).await?.is_none() {
        return Err(StripeError::missing("customer"));
    }
    let id = sandbox.new_id("bps");
    let url = sandbox.page(&format!("portal/{id}"));
    let body = objects::portal(&id, customer, fields.get("return_url"), &url, sandbox.seconds());
    let new = NewObject {
        id,
        kind: Kind::Portal,
        owner: Some(customer.to_owned()),
        reference: None,
        body: body.clone(),
        inner: Value::Null,
        due: Some(sandbox.now() + PORTAL_LIFETIME),
    };
    store::insert(tx, new, sandbox.now()).await?;
    Ok(body)
}

/// Applies an outcome to a session and returns where the browser goes. A declined or cancelled session stays
/// open for another try; a paid one leads to its success page.
pub(crate) async fn settle(sandbox: &Sandbox, id: &str, outcome: Outcome) -> Result<String, StripeError> {
    let tx = sandbox.db().write_tx().await?;
    let mut session =
        store::by_id(&tx, Kind::Checkout, id).await?.ok_or_else(|| StripeError::missing("checkout"))?;
    let success = session.body["success_url"].as_str().unwrap_or_default();
    let success = success.replace("{CHECKOUT_SESSION_ID}", id);
    let cancelled = session.body["cancel_url"].as_str().map_or_else(|| sandbox.page("mail"), str::to_owned);
    if session.body["status"] == "complete" {
        return Ok(success);
    }
    let open = session.body["status"] == "open" && session.due.is_none_or(|due| due > sandbox.now());
    if !open || outcome != Outcome::Pay {
        return Ok(cancelled);
    }
    let created = subscription::create(sandbox, &tx, &session).await?;
    session.body["status"] = json!("complete");
    session.body["payment_status"] = json!("paid");
    session.body["url"] = Value::Null;
    session.body["subscription"] = created.body["id"].clone();
    session.body["invoice"] = created.body["latest_invoice"].clone();
    session.due = None;
    store::change(&tx, &session).await?;
    sandbox.emit_event(&tx, "checkout.session.completed", &session.body).await?;
    tx.commit().await?;
    Ok(success)
}
