//! Sessions of the billing portal, and configurations of what it allows.

use kernel::{HOUR, Millis};
use serde_json::{Value, json};

use super::fields::Fields;
use super::objects::DEFAULT_CONFIGURATION;
use super::step::Step;
use super::{CallResult, StripeError, objects};
use crate::store::{self, Kind, NewObject, Object};

/// How long a portal address works.
const LIFETIME: Millis = HOUR;
/// The features that can be switched.
const FEATURES: [&str; 4] =
    ["invoice_history", "payment_method_update", "subscription_cancel", "subscription_update"];
/// The most products of a configuration.
const MAX_PRODUCTS: usize = 20;

pub(super) async fn open(step: Step<'_>, fields: &Fields) -> CallResult {
    let customer = fields.get("customer").unwrap_or_default();
    step.find(Kind::Customer, customer).await?;
    let configuration = fields.get("configuration").unwrap_or(DEFAULT_CONFIGURATION);
    find(step.tx, configuration).await?;
    let id = step.sandbox.new_id("bps");
    let url = step.sandbox.page(&format!("portal/{id}"));
    let new = NewObject {
        body: objects::portal(&id, customer, configuration, fields.get("return_url"), &url, step.seconds()),
        id,
        kind: Kind::Portal,
        owner: Some(customer.to_owned()),
        reference: None,
        inner: Value::Null,
        due: Some(step.at + LIFETIME),
    };
    Ok(step.insert(new).await?.body)
}

/// Returns a configuration. The default one exists before it is changed.
pub(crate) async fn find(c: &impl sea_orm::ConnectionTrait, id: &str) -> Result<Value, StripeError> {
    match store::by_id(c, Kind::Configuration, id).await? {
        Some(found) => Ok(found.body),
        None if id == DEFAULT_CONFIGURATION => Ok(objects::configuration(id, 0)),
        None => Err(StripeError::missing("configuration")),
    }
}

pub(super) async fn create(step: Step<'_>, fields: &Fields) -> CallResult {
    if !fields.has("features[") {
        return Err(StripeError::invalid("parameter_missing", "Missing required param: features."));
    }
    let id = step.sandbox.new_id("bpc");
    let mut body = objects::configuration(&id, step.seconds());
    for name in FEATURES {
        body["features"][name]["enabled"] = json!(false);
    }
    set(step, &mut body, fields)?;
    Ok(insert(step, id, body).await?.body)
}

pub(super) async fn update(step: Step<'_>, id: &str, fields: &Fields) -> CallResult {
    let mut body = find(step.tx, id).await?;
    set(step, &mut body, fields)?;
    body["updated"] = json!(step.seconds());
    match store::by_id(step.tx, Kind::Configuration, id).await? {
        Some(mut stored) => {
            stored.body = body;
            step.save(&stored).await?;
            Ok(stored.body)
        }
        None => Ok(insert(step, id.to_owned(), body).await?.body),
    }
}

async fn insert(step: Step<'_>, id: String, body: Value) -> Result<Object, StripeError> {
    let new = NewObject {
        id,
        kind: Kind::Configuration,
        owner: None,
        reference: None,
        body,
        inner: Value::Null,
        due: None,
    };
    step.insert(new).await
}

/// Sets what the call names.
fn set(step: Step<'_>, body: &mut Value, fields: &Fields) -> Result<(), StripeError> {
    for (name, value) in fields.map("metadata").as_object().into_iter().flatten() {
        body["metadata"][name] = value.clone();
    }
    for name in ["headline", "privacy_policy_url", "terms_of_service_url"] {
        if let Some(value) = fields.get(&format!("business_profile[{name}]")) {
            body["business_profile"][name] = json!(value);
        }
    }
    if let Some(url) = fields.get("default_return_url") {
        body["default_return_url"] = json!(url);
    }
    if let Some(active) = fields.get("active") {
        body["active"] = json!(active == "true");
    }
    for name in FEATURES {
        if let Some(enabled) = fields.get(&format!("features[{name}][enabled]")) {
            body["features"][name]["enabled"] = json!(enabled == "true");
        }
    }
    for (feature, name) in [
        ("subscription_cancel", "mode"),
        ("subscription_cancel", "proration_behavior"),
        ("subscription_update", "proration_behavior"),
    ] {
        if let Some(value) = fields.get(&format!("features[{feature}][{name}]")) {
            body["features"][feature][name] = json!(value);
        }
    }
    let update = "features[subscription_update]";
    if fields.has(&format!("{update}[default_allowed_updates]")) {
        let allowed = format!("{update}[default_allowed_updates]");
        body["features"]["subscription_update"]["default_allowed_updates"] =
            json!(fields.indexed(&allowed).filter(|word| !word.is_empty()).collect::<Vec<_>>());
    }
    if fields.has(&format!("{update}[schedule_at_period_end][conditions]")) {
        let kinds = (0..2).filter_map(|index| {
            fields.get(&format!("{update}[schedule_at_period_end][conditions][{index}][type]"))
        });
        body["features"]["subscription_update"]["schedule_at_period_end"]["conditions"] =
            kinds.map(|kind| json!({ "type": kind })).collect();
    }
    if fields.has(&format!("{update}[products]")) {
        body["features"]["subscription_update"]["products"] = products(step, fields)?;
    }
    Ok(())
}

fn products(step: Step<'_>, fields: &Fields) -> CallResult {
    let mut products = Vec::new();
    for index in 0..MAX_PRODUCTS {
        let prefix = format!("features[subscription_update][products][{index}]");
        let Some(product) = fields.get(&format!("{prefix}[product]")) else { break };
        let name = format!("{prefix}[prices]");
        let prices: Vec<&str> = fields.indexed(&name).collect();
        for price in &prices {
            if step.price(price)?.product() != product {
                let message = format!("The price {price} does not belong to the product {product}.");
                return Err(StripeError::invalid("", message));
            }
        }
        products.push(json!({
            "product": product, "prices": prices,
            "adjustable_quantity": { "enabled": false, "maximum": null, "minimum": 1 },
        }));
    }
    Ok(Value::Array(products))
}
