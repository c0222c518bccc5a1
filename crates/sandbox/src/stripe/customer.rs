//! Customers and the cards with which they pay.

use kernel::Email;
use serde_json::{Value, json};

use super::fields::Fields;
use super::objects::CardValues;
use super::step::Step;
use super::{CallResult, StripeError, objects};
use crate::store::{self, Kind, NewObject, Object};

/// Longest name of a customer, in characters.
const NAME_MAX: usize = 256;

/// A card as it was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewCard {
    pub(crate) values: CardValues,
    /// Whether the bank declines it.
    pub(crate) declines: bool,
}

impl NewCard {
    /// The test card that pays, as if a script had entered it.
    pub(crate) fn that_pays() -> Self {
        let values = CardValues { last4: "4242".to_owned(), month: 12, year: 2040, name: None };
        Self { values, declines: false }
    }
}

pub(super) async fn create(step: Step<'_>, fields: &Fields) -> CallResult {
    check_details(fields)?;
    let id = step.sandbox.new_id("cus");
    let metadata = fields.map("metadata");
    let text = |name: &str| fields.get(name);
    let (name, email, phone) = (text("name"), text("email"), text("phone"));
    let mut body = objects::customer(&id, step.seconds(), name, email, phone, metadata);
    set_address(&mut body, fields);
    let new = NewObject {
        id,
        kind: Kind::Customer,
        owner: None,
        reference: body["metadata"]["account"].as_str().map(str::to_owned),
        body,
        inner: Value::Null,
        due: None,
    };
    Ok(step.insert(new).await?.body)
}

pub(super) async fn update(step: Step<'_>, id: &str, fields: &Fields) -> CallResult {
    check_details(fields)?;
    let mut customer = step.find(Kind::Customer, id).await?;
    let before = customer.body.clone();
    for name in ["name", "email", "phone"] {
        if let Some(value) = fields.sent(name) {
            customer.body[name] = if value.is_empty() { Value::Null } else { json!(value) };
        }
    }
    set_address(&mut customer.body, fields);
    if let Some(card) = fields.get("invoice_settings[default_payment_method]") {
        let card = step.find(Kind::PaymentMethod, card).await?;
        customer.body["invoice_settings"]["default_payment_method"] = json!(card.id);
    }
    step.save_and_emit("customer.updated", &customer, &before).await?;
    Ok(customer.body)
}

/// Sets the parts of the address that were sent; an empty address removes it.
fn set_address(body: &mut Value, fields: &Fields) {
    if fields.sent("address").is_some_and(str::is_empty) {
        body["address"] = Value::Null;
    }
    for part in ["line1", "line2", "city", "state", "postal_code", "country"] {
        if let Some(value) = fields.sent(&format!("address[{part}]")) {
            if body["address"].is_null() {
                body["address"] = json!({
                    "city": null, "country": null, "line1": null, "line2": null, "postal_code": null, "state": null,
                });
            }
            body["address"][part] = json!(value);
        }
    }
}

fn check_details(fields: &Fields) -> Result<(), StripeError> {
    if fields.get("name").is_some_and(|name| name.chars().count() > NAME_MAX) {
        let message = format!("Invalid string; must be at most {NAME_MAX} characters");
        return Err(StripeError::invalid("invalid_request_error", message));
    }
    match fields.get("email") {
        Some(email) if Email::parse(email).is_none() => {
            Err(StripeError::invalid("email_invalid", format!("Invalid email address: {email}")))
        }
        _ => Ok(()),
    }
}

/// Stores a card of a customer. Returns its id.
pub(super) async fn add_card(step: Step<'_>, customer: &str, card: &NewCard) -> Result<String, StripeError> {
    let id = step.sandbox.new_id("pm");
    let new = NewObject {
        body: objects::payment_method(&id, customer, &card.values, step.seconds()),
        id: id.clone(),
        kind: Kind::PaymentMethod,
        owner: Some(customer.to_owned()),
        reference: None,
        inner: json!({ "declines": card.declines }),
        due: None,
    };
    step.insert(new).await?;
    Ok(id)
}

/// Makes a new card the one with which everything of the customer is paid.
pub(crate) async fn replace_card(step: Step<'_>, customer: &str, card: &NewCard) -> Result<(), StripeError> {
    let card = add_card(step, customer, card).await?;
    let mut customer = step.find(Kind::Customer, customer).await?;
    let before = customer.body.clone();
    customer.body["invoice_settings"]["default_payment_method"] = json!(card);
    step.save_and_emit("customer.updated", &customer, &before).await?;
    for mut subscription in store::of_owner(step.tx, Kind::Subscription, &customer.id).await? {
        if subscription.body["status"] == "canceled" {
            continue;
        }
        let before = subscription.body.clone();
        subscription.body["default_payment_method"] = json!(card);
        subscription.inner["fails"] = json!(false);
        step.save_and_emit("customer.subscription.updated", &subscription, &before).await?;
    }
    Ok(())
}

/// Returns the card with which a subscription is paid.
pub(crate) async fn card_of(
    c: &impl sea_orm::ConnectionTrait,
    subscription: &Value,
) -> Result<Option<Object>, StripeError> {
    if let Some(id) = subscription["default_payment_method"].as_str() {
        return Ok(store::by_id(c, Kind::PaymentMethod, id).await?);
    }
    let customer = subscription["customer"].as_str().unwrap_or_default();
    let Some(customer) = store::by_id(c, Kind::Customer, customer).await? else { return Ok(None) };
    match customer.body["invoice_settings"]["default_payment_method"].as_str() {
        Some(id) => Ok(store::by_id(c, Kind::PaymentMethod, id).await?),
        None => Ok(None),
    }
}

/// Changes what a customer owes or has as a credit.
pub(super) async fn set_balance(step: Step<'_>, customer: &str, balance: i64) -> Result<(), StripeError> {
    let mut customer = step.find(Kind::Customer, customer).await?;
    if customer.body["balance"] == balance {
        return Ok(());
    }
    let before = customer.body.clone();
    customer.body["balance"] = json!(balance);
    step.save_and_emit("customer.updated", &customer, &before).await
}
