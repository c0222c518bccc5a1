//! The read calls of the API.

use serde_json::Value;

use super::fields::Fields;
use super::{CallResult, StripeError, objects, unknown};
use crate::Sandbox;
use crate::store::{self, Kind};

pub(super) async fn respond(sandbox: &Sandbox, path: &[&str], query: &Fields) -> CallResult {
    match path {
        ["prices"] => Ok(prices(sandbox, query)),
        ["prices", id] => sandbox
            .price(|price| price.id() == *id)
            .map(|price| price.object(sandbox.seconds()))
            .ok_or_else(|| StripeError::missing("price")),
        ["customers", id] => body(sandbox, Kind::Customer, id).await,
        ["checkout", "sessions", id] => body(sandbox, Kind::Checkout, id).await,
        ["subscriptions", id] => body(sandbox, Kind::Subscription, id).await,
        ["invoices"] => invoices(sandbox, query).await,
        ["invoices", id] => body(sandbox, Kind::Invoice, id).await,
        ["events", id] => body(sandbox, Kind::Event, id).await,
        ["invoice_payments"] => {
            let id =
                query.get("invoice").ok_or_else(|| StripeError::invalid("parameter_missing", "invoice"))?;
            let invoice = body(sandbox, Kind::Invoice, id).await?;
            let paid = invoice["status"] == "paid";
            let data = if paid { vec![objects::invoice_payment(&invoice)] } else { Vec::new() };
            Ok(objects::list("invoice_payments", data))
        }
        _ => Err(unknown(path)),
    }
}

/// The invoices of a subscription, newest first.
async fn invoices(sandbox: &Sandbox, query: &Fields) -> CallResult {
    let missing = || StripeError::invalid("parameter_missing", "subscription");
    let subscription = query.get("subscription").ok_or_else(missing)?;
    let found = store::of_owner(sandbox.db().read(), Kind::Invoice, subscription).await?;
    let mut data: Vec<Value> = found.into_iter().map(|invoice| invoice.body).collect();
    if let Some(status) = query.get("status") {
        data.retain(|invoice| invoice["status"] == status);
    }
    data.sort_by_key(|invoice| std::cmp::Reverse(invoice["created"].as_i64()));
    Ok(objects::list("invoices", data))
}

fn prices(sandbox: &Sandbox, query: &Fields) -> Value {
    let found = query.all("lookup_keys[]").filter_map(|key| sandbox.price_of_plan(key));
    objects::list("prices", found.map(|price| price.object(sandbox.seconds())).collect())
}

async fn body(sandbox: &Sandbox, kind: Kind, id: &str) -> CallResult {
    let found = store::by_id(sandbox.db().read(), kind, id).await?;
    found.map(|object| object.body).ok_or_else(|| StripeError::missing("record"))
}
