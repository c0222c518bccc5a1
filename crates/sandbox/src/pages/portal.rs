//! The billing portal: plans, card and invoices of a customer.

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use httpkit::ApiError;
use minijinja::context;
use minijinja::value::Value;
use serde::Deserialize;

use super::card::{Card, FieldErrors};
use super::day;
use crate::Sandbox;
use crate::api::problem;
use crate::store::{self, Kind, Object};
use crate::stripe::catalogue::{Price, money};
use crate::stripe::{StripeError, customer, portal, subscription};

/// What the page says about the last action: the word in the address, the tone and the sentence.
const NOTICES: [(&str, &str, &str); 9] = [
    ("paid", "good", "The invoice is paid."),
    ("declined", "bad", "Your card was declined. Change the card and try again."),
    ("not-payable", "bad", "This invoice cannot be paid any more."),
    ("card", "good", "The card is saved. It is used for the next payment."),
    ("plan", "good", "The plan is changed."),
    ("scheduled", "good", "The plan changes at the end of the period."),
    ("released", "good", "The current plan is kept."),
    ("ends", "good", "The plan ends with the period."),
    ("kept", "good", "The plan is kept."),
];

/// The query of the page.
#[derive(Deserialize)]
pub(super) struct PortalQuery {
    notice: Option<String>,
}

/// A portal session that has not expired, and what its configuration allows.
pub(super) struct Portal {
    pub(super) session: Object,
    features: serde_json::Value,
}

impl Portal {
    /// Returns `None` if the session is unknown or has expired.
    pub(super) async fn find(sandbox: &Sandbox, id: &str) -> Result<Option<Self>, StripeError> {
        let read = sandbox.db().read();
        let found = store::by_id(read, Kind::Portal, id).await?;
        let found = found.filter(|session| session.due.is_some_and(|due| due > sandbox.now()));
        let Some(session) = found else { return Ok(None) };
        let configuration = session.body["configuration"].as_str().unwrap_or_default();
        let features = portal::find(read, configuration).await?["features"].take();
        Ok(Some(Self { session, features }))
    }

    pub(super) fn customer(&self) -> &str {
        &self.session.owner
    }

    pub(super) fn allows(&self, feature: &str) -> bool {
        self.features[feature]["enabled"] == true
    }

    /// Returns whether the plan may be changed to this price.
    pub(super) fn offers(&self, price: &Price) -> bool {
        let products = self.features["subscription_update"]["products"].as_array();
        let is_listed = |products: &Vec<serde_json::Value>| {
            let prices = products.iter().filter_map(|product| product["prices"].as_array()).flatten();
            prices.into_iter().any(|id| *id == price.id())
        };
        self.allows("subscription_update") && products.is_none_or(is_listed)
    }

    /// Returns whether a change of the price waits for the end of the period.
    pub(super) fn waits(&self, old: &Price, new: &Price) -> bool {
        let conditions = &self.features["subscription_update"]["schedule_at_period_end"]["conditions"];
        let has =
            |kind: &str| conditions.as_array().is_some_and(|all| all.iter().any(|one| one["type"] == kind));
        let is_smaller = new.months <= old.months && new.amount < old.amount;
        (has("shortening_interval") && new.months < old.months)
            || (has("decreasing_item_amount") && is_smaller)
    }
}

pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    Path(session): Path<String>,
    Query(query): Query<PortalQuery>,
) -> Response {
    let found = match Portal::find(&sandbox, &session).await {
        Ok(found) => found,
        Err(refused) => return ApiError(problem(refused)).into_response(),
    };
    let Some(portal) = found else { return expired_page(&sandbox) };
    let notice = query.notice.as_deref().unwrap_or_default();
    page(&sandbox, &portal, notice, &Card::default(), None).await
}

pub(super) fn expired_page(sandbox: &Sandbox) -> Response {
    let (title, message) = ("This page has expired", "Open billing again to continue.");
    sandbox.pages().notice(StatusCode::GONE, title, message, "Go to billing", "/billing")
}

/// Renders the page. With errors its card form is open and filled in.
pub(super) async fn page(
    sandbox: &Sandbox,
    portal: &Portal,
    notice: &str,
    card: &Card,
    errors: Option<&FieldErrors>,
) -> Response {
    match values(sandbox, portal).await {
        Ok(found) => {
            let notice = NOTICES.iter().find(|(word, ..)| *word == notice);
            let notice = notice.map(|(_, tone, text)| context! { tone => *tone, text => *text });
            let values = context! {
                notice => notice, card => card.values(), open_card => errors.is_some(),
                errors => errors.unwrap_or(&FieldErrors::default()).values(), ..found
            };
            let status = if errors.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
            sandbox.pages().render(status, "portal.html", "Billing", values)
        }
        Err(refused) => ApiError(problem(refused)).into_response(),
    }
}

async fn values(sandbox: &Sandbox, portal: &Portal) -> Result<Value, StripeError> {
    let read = sandbox.db().read();
    let payer = store::by_id(read, Kind::Customer, portal.customer()).await?;
    let payer = payer.map(|object| {
        let part = |name: &str| object.body[name].as_str().unwrap_or_default().to_owned();
        format!("{} <{}>", part("name"), part("email"))
    });
    let bought = store::of_owner(read, Kind::Subscription, portal.customer()).await?;
    let mut subscriptions = Vec::new();
    for one in &bought {
        let schedule = one.body["schedule"].as_str();
        let schedule = match schedule {
            Some(id) => store::by_id(read, Kind::Schedule, id).await?,
            None => None,
        };
        subscriptions.push(subscription_values(sandbox, portal, one, schedule.as_ref()));
    }
    let live = bought.iter().find(|one| one.body["status"] != "canceled").or(bought.first());
    let method = match live {
        Some(one) => customer::card_of(read, &one.body).await?,
        None => None,
    };
    let owners: Vec<String> = bought.iter().map(|one| one.id.clone()).collect();
    let mut invoices = store::of_owners(read, Kind::Invoice, &owners).await?;
    invoices.retain(|_| portal.allows("invoice_history"));
    Ok(context! {
        action => format!("/sandbox/portal/{}", portal.session.id), customer => payer.unwrap_or_default(),
        subscriptions => subscriptions, method => method.as_ref().map(method_values),
        can_change_card => portal.allows("payment_method_update"),
        invoices => invoices.iter().map(invoice_values).collect::<Vec<_>>(),
        back => portal.session.body["return_url"].as_str().unwrap_or_default(),
    })
}

fn method_values(card: &Object) -> Value {
    let shown = &card.body["card"];
    let last4 = shown["last4"].as_str().unwrap_or_default();
    let text = format!("Visa ending in {last4}, expires {}/{}", shown["exp_month"], shown["exp_year"]);
    context! { text => text, declines => card.inner["declines"] == true }
}

fn subscription_values(sandbox: &Sandbox, portal: &Portal, one: &Object, schedule: Option<&Object>) -> Value {
    let price = sandbox.price(|price| one.body["items"]["data"][0]["price"]["id"] == price.id());
    let status = one.body["status"].as_str().unwrap_or_default();
    let is_live = status != "canceled";
    let cancel_at = one.body["cancel_at"].as_i64().filter(|_| is_live);
    let end = day(cancel_at.unwrap_or(subscription::period(&one.body).1));
    let (word, tone) = match status {
        "active" if cancel_at.is_some() => ("Ends soon", "warn"),
        "active" => ("Active", "good"),
        "past_due" => ("Payment failed", "bad"),
        "unpaid" => ("Unpaid", "bad"),
        _ => ("Ended", "warn"),
    };
    let next = match status {
        "canceled" => format!("Ended on {}.", day(one.body["ended_at"].as_i64().unwrap_or_default())),
        _ if cancel_at.is_some() => format!("Ends on {end} and does not renew."),
        _ => format!("Renews on {end}."),
    };
    let plans: Vec<Value> = match price.filter(|_| is_live && cancel_at.is_none()) {
        Some(price) => plan_values(sandbox, portal, price),
        None => Vec::new(),
    };
    context! {
        id => one.id.as_str(), plan => price.map_or("Plan", |price| &price.title), status => word, tone => tone,
        amount => price.map(Price::shown).unwrap_or_default(), interval => price.map_or("", Price::interval),
        next => next, plans => plans, ending => cancel_at.is_some(),
        cancellable => is_live && portal.allows("subscription_cancel"),
        scheduled => schedule.filter(|_| is_live).and_then(|schedule| scheduled(sandbox, schedule)),
    }
}

/// The other plans, and what each means.
fn plan_values(sandbox: &Sandbox, portal: &Portal, current: &Price) -> Vec<Value> {
    let others = sandbox.deps().prices.iter();
    let others = others.filter(|price| price.id() != current.id() && portal.offers(price));
    others
        .map(|price| {
            let (button, effect) = if portal.waits(current, price) {
                ("Switch", "Starts at the end of the period.")
            } else {
                ("Upgrade", "Starts now; the rest of the current period is credited.")
            };
            context! {
                id => price.id(), title => price.title.as_str(), amount => price.shown(),
                interval => price.interval(), button => button, effect => effect,
            }
        })
        .collect()
}

/// Returns a sentence about the price that is planned, if it has not begun.
fn scheduled(sandbox: &Sandbox, schedule: &Object) -> Option<String> {
    let now = sandbox.seconds();
    let phases = schedule.body["phases"].as_array()?;
    let next = phases.iter().find(|phase| phase["start_date"].as_i64().is_some_and(|start| start > now))?;
    let price = sandbox.price(|price| next["items"][0]["price"] == price.id())?;
    let start = day(next["start_date"].as_i64()?);
    Some(format!("Changes to {} ({} {}) on {start}.", price.title, price.shown(), price.interval()))
}

fn invoice_values(invoice: &Object) -> Value {
    let body = &invoice.body;
    let second = |name: &str| body[name].as_i64();
    let status = body["status"].as_str().unwrap_or_default();
    let (word, tone) = match status {
        "paid" => ("Paid", "good"),
        "open" => ("Open", "bad"),
        "draft" => ("Draft", "warn"),
        _ => ("Void", "warn"),
    };
    let amount = if status == "paid" || status == "open" { "amount_due" } else { "total" };
    let title = match body["billing_reason"].as_str() {
        Some("subscription_create") => "Purchase",
        Some("subscription_update") => "Change of plan",
        _ => "Renewal",
    };
    let retry = second("next_payment_attempt").map(|at| format!("Next attempt on {}.", day(at)));
    context! {
        id => invoice.id.as_str(), day => day(second("created").unwrap_or_default()), title => title, status => word, tone => tone,
        amount => money(second(amount).unwrap_or_default(), body["currency"].as_str().unwrap_or_default()),
        retry => retry, payable => status == "open" || status == "draft",
    }
}
