//! The billing portal: subscriptions, invoices, and cancellation at the end of the paid period.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use httpkit::ApiError;
use minijinja::context;
use minijinja::value::Value;
use sea_orm::DbErr;

use super::day;
use crate::Sandbox;
use crate::api::problem;
use crate::store::{self, Kind, Object};
use crate::stripe::catalogue::Price;
use crate::stripe::plan_change::{self, Proration};
use crate::stripe::{Fields, Step, StripeError, schedule, subscription};

pub(super) async fn show(State(sandbox): State<Sandbox>, Path(session): Path<String>) -> Response {
    match page(&sandbox, &session).await {
        Ok(response) => response,
        Err(error) => ApiError(httpkit::unexpected(&error)).into_response(),
    }
}

async fn page(sandbox: &Sandbox, session: &str) -> Result<Response, DbErr> {
    let Some(portal) = open(sandbox, session).await? else { return Ok(expired_page(sandbox)) };
    let read = sandbox.db().read();
    let customer = store::by_id(read, Kind::Customer, &portal.owner).await?;
    let customer = customer.map(|object| {
        let part = |name: &str| object.body[name].as_str().unwrap_or_default().to_owned();
        format!("{} <{}>", part("name"), part("email"))
    });
    let mut subscriptions = Vec::new();
    for one in store::of_owner(read, Kind::Subscription, &portal.owner).await? {
        let invoices = store::of_owner(read, Kind::Invoice, &one.id).await?;
        subscriptions.push(subscription_values(sandbox, &one, &invoices));
    }
    let values = context! {
        session => session, customer => customer.unwrap_or_default(), subscriptions => subscriptions,
        back => portal.body["return_url"].as_str().unwrap_or_default(),
    };
    Ok(sandbox.pages().render(StatusCode::OK, "portal.html", "Billing", values))
}

pub(super) async fn submit(
    State(sandbox): State<Sandbox>,
    Path(session): Path<String>,
    body: Bytes,
) -> Response {
    match apply(&sandbox, &session, &Fields::parse(&body)).await {
        Ok(response) => response,
        Err(refused) => ApiError(problem(refused)).into_response(),
    }
}

async fn apply(sandbox: &Sandbox, session: &str, fields: &Fields) -> Result<Response, StripeError> {
    let Some(portal) = open(sandbox, session).await? else { return Ok(expired_page(sandbox)) };
    let id = fields.get("subscription").unwrap_or_default();
    let tx = sandbox.db().write_tx().await?;
    let own = store::by_id(&tx, Kind::Subscription, id).await?.filter(|one| one.owner == portal.owner);
    if own.is_none() {
        return Err(StripeError::missing("subscription"));
    }
    let step = Step::now(sandbox, &tx);
    let mut one = subscription::find_live(step, id).await?;
    match fields.get("action") {
        Some("plan") => change_plan(step, &mut one, fields).await?,
        Some("cancel") => {
            schedule::release_of(step, &mut one).await?;
            let end = subscription::period(&one.body).1;
            set_end(step, &mut one, Some(end)).await?;
        }
        _ => set_end(step, &mut one, None).await?,
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("/sandbox/portal/{session}")).into_response())
}

/// Plans the end of a subscription, or takes it back.
async fn set_end(step: Step<'_>, one: &mut Object, at: Option<i64>) -> Result<(), StripeError> {
    let before = one.body.clone();
    subscription::set_cancel_at(one, step.seconds(), at, false);
    step.save_and_emit("customer.subscription.updated", one, &before).await
}

/// Changes the plan: at once if it costs more, otherwise at the end of the period.
async fn change_plan(step: Step<'_>, one: &mut Object, fields: &Fields) -> Result<(), StripeError> {
    let price = step.price(fields.get("price").unwrap_or_default())?;
    let old = step.price_of(&one.body)?;
    schedule::release_of(step, one).await?;
    if price.yearly() < old.yearly() || price.months < old.months {
        schedule::change_at_period_end(step, one, price).await
    } else {
        plan_change::apply(step, one, price, Proration::Invoiced, false).await
    }
}

async fn open(sandbox: &Sandbox, session: &str) -> Result<Option<Object>, DbErr> {
    let found = store::by_id(sandbox.db().read(), Kind::Portal, session).await?;
    Ok(found.filter(|portal| portal.due.is_some_and(|due| due > sandbox.now())))
}

fn expired_page(sandbox: &Sandbox) -> Response {
    let (title, message) = ("This page has expired", "Open billing again to continue.");
    sandbox.pages().notice(StatusCode::GONE, title, message, "Go to billing", "/billing")
}

fn subscription_values(sandbox: &Sandbox, one: &Object, invoices: &[Object]) -> Value {
    let price = sandbox.price(|price| one.body["items"]["data"][0]["price"]["id"] == price.id());
    let status = one.body["status"].as_str().unwrap_or_default();
    let ending = !one.body["cancel_at"].is_null();
    let end = day(one.body["cancel_at"].as_i64().unwrap_or(subscription::period(&one.body).1));
    let (word, tone) = match status {
        "active" if ending => ("Ends soon", "warn"),
        "active" => ("Active", "good"),
        "past_due" => ("Payment failed", "bad"),
        _ => ("Ended", "warn"),
    };
    let next = match status {
        "canceled" => format!("Ended on {}.", day(one.body["ended_at"].as_i64().unwrap_or_default())),
        _ if ending => format!("Ends on {end} and does not renew."),
        _ => format!("Renews on {end}."),
    };
    let invoices: Vec<Value> = invoices
        .iter()
        .map(|invoice| {
            context! {
                time => day(invoice.body["created"].as_i64().unwrap_or_default()),
                status => invoice.body["status"].as_str().unwrap_or_default(),
                amount => price.map(Price::shown).unwrap_or_default(),
            }
        })
        .collect();
    context! {
        id => one.id.as_str(), plan => price.map_or("Plan", |price| &price.title), status => word, tone => tone,
        amount => price.map(Price::shown).unwrap_or_default(), interval => price.map_or("", Price::interval),
        next => next, live => status != "canceled", ending => ending, invoices => invoices,
    }
}
