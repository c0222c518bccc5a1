//! The checkout page: the order, the card form, the test cards.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use httpkit::ApiError;
use minijinja::context;

use super::card::{Card, CardResult, FieldErrors};
use crate::Sandbox;
use crate::api::problem;
use crate::store::{self, Kind, Object};
use crate::stripe::catalogue::Price;
use crate::stripe::customer::NewCard;
use crate::stripe::{self, Fields, Outcome};

pub(super) async fn show(State(sandbox): State<Sandbox>, Path(session): Path<String>) -> Response {
    match open(&sandbox, &session).await {
        Ok(object) => {
            form(&sandbox, &object, StatusCode::OK, &Card::default(), &FieldErrors::default(), None)
        }
        Err(response) => *response,
    }
}

pub(super) async fn submit(
    State(sandbox): State<Sandbox>,
    Path(session): Path<String>,
    body: Bytes,
) -> Response {
    let fields = Fields::parse(&body);
    if fields.get("action") == Some("cancel") {
        return settle(&sandbox, &session, Outcome::Cancel, &NewCard::that_pays()).await;
    }
    let card = Card::of(&fields);
    let object = match open(&sandbox, &session).await {
        Ok(object) => object,
        Err(response) => return *response,
    };
    let again = StatusCode::UNPROCESSABLE_ENTITY;
    match card.check(sandbox.now()) {
        Ok(CardResult::Outcome(outcome)) => settle(&sandbox, &session, outcome, &card.new_card()).await,
        Ok(CardResult::InsufficientFunds) => {
            let why = "Your card has insufficient funds. Try a different card.";
            form(&sandbox, &object, again, &card, &FieldErrors::default(), Some(why))
        }
        Err(errors) => form(&sandbox, &object, again, &card, &errors, None),
    }
}

async fn settle(sandbox: &Sandbox, session: &str, outcome: Outcome, card: &NewCard) -> Response {
    match stripe::settle(sandbox, session, outcome, card).await {
        Ok(url) => Redirect::to(&url).into_response(),
        Err(refused) => ApiError(problem(refused)).into_response(),
    }
}

/// Returns the session if it can be paid, otherwise a page that says why not.
async fn open(sandbox: &Sandbox, session: &str) -> Result<Object, Box<Response>> {
    let pages = sandbox.pages();
    let found = match store::by_id(sandbox.db().read(), Kind::Checkout, session).await {
        Ok(found) => found,
        Err(error) => return Err(Box::new(ApiError(httpkit::unexpected(&error)).into_response())),
    };
    let Some(object) = found else {
        let (title, message) = ("Payment not found", "The address is incomplete, or the sandbox was reset.");
        return Err(Box::new(pages.notice(StatusCode::NOT_FOUND, title, message, "Back", "/")));
    };
    let target = |name: &str| object.body[name].as_str().unwrap_or("/").to_owned();
    if object.body["status"] == "complete" {
        let (title, message) = ("Paid", "This payment is complete.");
        return Err(Box::new(pages.notice(
            StatusCode::OK,
            title,
            message,
            "Continue",
            &target("success_url"),
        )));
    }
    let expired = object.due.is_none_or(|due| due <= sandbox.now());
    if object.body["status"] != "open" || expired {
        let (title, message) =
            ("Payment expired", "This payment was not completed in time. Please start again.");
        return Err(Box::new(pages.notice(StatusCode::GONE, title, message, "Back", &target("cancel_url"))));
    }
    Ok(object)
}

fn form(
    sandbox: &Sandbox,
    session: &Object,
    status: StatusCode,
    card: &Card,
    errors: &FieldErrors,
    refused: Option<&str>,
) -> Response {
    let plan = session.inner["plan"].as_str().and_then(|plan| sandbox.price_of_plan(plan));
    let values = context! {
        session => session.id.as_str(),
        plan => plan.map_or("Plan", |price| &price.title),
        amount => plan.map(Price::shown).unwrap_or_default(),
        interval => plan.map_or("", Price::interval),
        card => card.values(), errors => errors.values(), refused => refused,
    };
    sandbox.pages().render(status, "pay.html", "Pay", values)
}
