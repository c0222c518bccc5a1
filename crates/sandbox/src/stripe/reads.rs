//! The read calls of the API.

use kernel::{DAY, Timestamp};
use serde_json::{Value, json};

use super::fields::Fields;
use super::{CallResult, StripeError, endpoint, lists, objects, portal, unknown};
use crate::Sandbox;
use crate::store::{self, Kind, Object};

/// How long the provider lists events.
const EVENTS_LISTED: i64 = 30 * DAY;

pub(super) async fn respond(sandbox: &Sandbox, path: &[&str], query: &Fields) -> CallResult {
    let answer = match path {
        ["account"] => Ok(account(sandbox)),
        ["prices"] => Ok(prices(sandbox, query)),
        ["prices", id] => sandbox
            .price(|price| price.id() == *id)
            .map(|price| price.object(sandbox.seconds()))
            .ok_or_else(|| StripeError::missing("price")),
        ["products", id] => sandbox
            .price(|price| price.product() == *id)
            .map(|price| price.product_object(sandbox.seconds()))
            .ok_or_else(|| StripeError::missing("product")),
        ["customers", id] => body(sandbox, Kind::Customer, id).await,
        ["customers", id, "payment_methods"] => cards(sandbox, id, query).await,
        ["payment_methods", id] => body(sandbox, Kind::PaymentMethod, id).await,
        ["checkout", "sessions", id] => body(sandbox, Kind::Checkout, id).await,
        ["subscriptions"] => subscriptions(sandbox, query).await,
        ["subscriptions", id] => body(sandbox, Kind::Subscription, id).await,
        ["subscription_schedules"] => schedules(sandbox, query).await,
        ["subscription_schedules", id] => body(sandbox, Kind::Schedule, id).await,
        ["invoices"] => invoices(sandbox, query).await,
        ["invoices", id] => body(sandbox, Kind::Invoice, id).await,
        ["invoice_payments"] => invoice_payments(sandbox, query).await,
        ["events"] => events(sandbox, query).await,
        ["events", id] => body(sandbox, Kind::Event, id).await,
        ["webhook_endpoints"] => endpoint::list(sandbox).await,
        ["billing_portal", "configurations"] => configurations(sandbox, query).await,
        ["billing_portal", "configurations", id] => portal::find(sandbox.db().read(), id).await,
        _ => Err(unknown(path)),
    };
    lists::expand(sandbox, answer?, query).await
}

fn account(sandbox: &Sandbox) -> Value {
    let currency = sandbox.deps().prices.first().map_or("usd", |price| &price.currency);
    objects::account(0, currency)
}

/// The prices with the lookup keys of the call, or all.
fn prices(sandbox: &Sandbox, query: &Fields) -> Value {
    let keys: Vec<&str> = query.indexed("lookup_keys").collect();
    let is_wanted = |plan: &str| keys.is_empty() || keys.contains(&plan);
    let found = sandbox.deps().prices.iter().filter(|price| is_wanted(&price.plan));
    let now = sandbox.seconds();
    objects::list("prices", found.map(|price| price.object(now)).collect(), false)
}

async fn cards(sandbox: &Sandbox, customer: &str, query: &Fields) -> CallResult {
    body(sandbox, Kind::Customer, customer).await?;
    let found = store::of_owner(sandbox.db().read(), Kind::PaymentMethod, customer).await?;
    lists::page(&format!("customers/{customer}/payment_methods"), found, query)
}

/// Subscriptions; without a status those that have not ended.
async fn subscriptions(sandbox: &Sandbox, query: &Fields) -> CallResult {
    let mut found = of_customer(sandbox, Kind::Subscription, query).await?;
    let status = query.get("status");
    found.retain(|object| match status {
        None => object.body["status"] != "canceled",
        Some("all") => true,
        Some("ended") => object.body["status"] == "canceled",
        Some(status) => object.body["status"] == status,
    });
    if let Some(price) = query.get("price") {
        found.retain(|object| object.body["items"]["data"][0]["price"]["id"] == price);
    }
    lists::page("subscriptions", found, query)
}

async fn schedules(sandbox: &Sandbox, query: &Fields) -> CallResult {
    let found = of_customer(sandbox, Kind::Schedule, query).await?;
    lists::page("subscription_schedules", found, query)
}

/// The objects of a kind, or only those of one customer.
async fn of_customer(sandbox: &Sandbox, kind: Kind, query: &Fields) -> Result<Vec<Object>, StripeError> {
    let read = sandbox.db().read();
    Ok(match query.get("customer") {
        Some(customer) => store::of_owner(read, kind, customer).await?,
        None => store::all(read, kind).await?,
    })
}

/// Invoices of a subscription, of a customer, or all.
async fn invoices(sandbox: &Sandbox, query: &Fields) -> CallResult {
    let read = sandbox.db().read();
    let mut found = match (query.get("subscription"), query.get("customer")) {
        (Some(subscription), _) => store::of_owner(read, Kind::Invoice, subscription).await?,
        (None, Some(customer)) => {
            let subscriptions = store::of_owner(read, Kind::Subscription, customer).await?;
            let owners: Vec<String> = subscriptions.into_iter().map(|object| object.id).collect();
            store::of_owners(read, Kind::Invoice, &owners).await?
        }
        (None, None) => store::all(read, Kind::Invoice).await?,
    };
    if let Some(status) = query.get("status") {
        found.retain(|invoice| invoice.body["status"] == status);
    }
    if let Some(customer) = query.get("customer") {
        found.retain(|invoice| invoice.body["customer"] == customer);
    }
    lists::page("invoices", found, query)
}

/// The payment of an invoice, if it was paid.
async fn invoice_payments(sandbox: &Sandbox, query: &Fields) -> CallResult {
    let id = query.get("invoice").ok_or_else(|| StripeError::invalid("parameter_missing", "invoice"))?;
    let invoice = body(sandbox, Kind::Invoice, id).await?;
    let is_paid = invoice["status"] == "paid" && invoice["amount_paid"] != 0;
    let data = if is_paid { vec![objects::invoice_payment(&invoice)] } else { Vec::new() };
    Ok(objects::list("invoice_payments", data, false))
}

/// The events of the last 30 days.
async fn events(sandbox: &Sandbox, query: &Fields) -> CallResult {
    let delivered = match query.get("delivery_success") {
        None => None,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(_) => return Err(StripeError::invalid("parameter_invalid", "delivery_success")),
    };
    let seconds =
        |name: &str| query.get(name).and_then(|text| text.parse().ok()).map(Timestamp::from_seconds);
    let oldest = sandbox.now() - EVENTS_LISTED;
    let from = seconds("created[gte]").or(seconds("created[gt]").map(|at| at + kernel::SECOND));
    let from = from.map_or(oldest, |from| from.max(oldest));
    let mut found = store::events(sandbox.db().read(), from, delivered).await?;
    let mut names: Vec<&str> = query.indexed("types").collect();
    names.extend(query.get("type"));
    if !names.is_empty() {
        found.retain(|event| event.body["type"].as_str().is_some_and(|name| names.contains(&name)));
    }
    lists::page("events", found, query)
}

async fn configurations(sandbox: &Sandbox, query: &Fields) -> CallResult {
    let read = sandbox.db().read();
    let default = portal::find(read, objects::DEFAULT_CONFIGURATION).await?;
    let stored = store::all(read, Kind::Configuration).await?;
    let own = stored.into_iter().map(|object| object.body).filter(|body| body["id"] != default["id"]);
    let mut data: Vec<Value> = own.chain([default.clone()]).collect();
    for name in ["active", "is_default"] {
        if let Some(wanted) = query.get(name) {
            data.retain(|body| body[name] == json!(wanted == "true"));
        }
    }
    Ok(objects::list("billing_portal/configurations", data, false))
}

async fn body(sandbox: &Sandbox, kind: Kind, id: &str) -> CallResult {
    use sea_orm::ActiveEnum as _;
    let found = store::by_id(sandbox.db().read(), kind, id).await?;
    found.map(|object| object.body).ok_or_else(|| StripeError::missing(&kind.to_value()))
}
