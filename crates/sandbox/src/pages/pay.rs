//! The checkout page: the order, the card form, the test cards.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use httpkit::ApiError;
use kernel::{Timestamp, iso};
use minijinja::context;

use crate::Sandbox;
use crate::api::problem;
use crate::store::{self, Kind, Object};
use crate::stripe::catalogue::Price;
use crate::stripe::{self, Fields, Outcome};

/// The card form as filled in.
#[derive(Default)]
struct Card {
    number: String,
    expiry: String,
    cvc: String,
    name: String,
}

/// The errors in the form, by field.
#[derive(Debug, Default, PartialEq, Eq)]
struct FieldErrors {
    card: Option<&'static str>,
    expiry: Option<&'static str>,
    cvc: Option<&'static str>,
    name: Option<&'static str>,
}

/// The effect of a valid form.
#[derive(Debug, PartialEq, Eq)]
enum CardResult {
    Outcome(Outcome),
    InsufficientFunds,
}

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
    let text = |name: &str| fields.get(name).unwrap_or_default().trim().to_owned();
    if text("action") == "cancel" {
        return settle(&sandbox, &session, Outcome::Cancel).await;
    }
    let card = Card { number: text("card"), expiry: text("expiry"), cvc: text("cvc"), name: text("name") };
    let object = match open(&sandbox, &session).await {
        Ok(object) => object,
        Err(response) => return *response,
    };
    let again = StatusCode::UNPROCESSABLE_ENTITY;
    match card.check(sandbox.now()) {
        Ok(CardResult::Outcome(outcome)) => settle(&sandbox, &session, outcome).await,
        Ok(CardResult::InsufficientFunds) => {
            let why = "Your card has insufficient funds. Try a different card.";
            form(&sandbox, &object, again, &card, &FieldErrors::default(), Some(why))
        }
        Err(errors) => form(&sandbox, &object, again, &card, &errors, None),
    }
}

async fn settle(sandbox: &Sandbox, session: &str, outcome: Outcome) -> Response {
    match stripe::settle(sandbox, session, outcome).await {
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
        amount => plan.map(Price::amount).unwrap_or_default(),
        interval => plan.map_or("", Price::interval),
        card => card.number.as_str(), expiry => card.expiry.as_str(), cvc => card.cvc.as_str(),
        name => card.name.as_str(), refused => refused,
        errors => context! {
            card => errors.card, expiry => errors.expiry, cvc => errors.cvc, name => errors.name,
        },
    };
    sandbox.pages().render(status, "pay.html", "Pay", values)
}

impl Card {
    fn check(&self, now: Timestamp) -> Result<CardResult, FieldErrors> {
        let digits: String = self.number.chars().filter(char::is_ascii_digit).collect();
        let result = match digits.as_str() {
            "4242424242424242" => Some(CardResult::Outcome(Outcome::Pay)),
            "4000000000000002" => Some(CardResult::Outcome(Outcome::Decline)),
            "4000000000009995" => Some(CardResult::InsufficientFunds),
            _ => None,
        };
        let cvc = matches!(self.cvc.len(), 3 | 4) && self.cvc.bytes().all(|b| b.is_ascii_digit());
        let errors = FieldErrors {
            card: unless(result.is_some(), "Use one of the test cards."),
            expiry: expiry_error(&self.expiry, now),
            cvc: unless(cvc, "Enter the 3 digits on the back."),
            name: unless(!self.name.is_empty(), "Enter the name on the card."),
        };
        match result {
            Some(result) if errors == FieldErrors::default() => Ok(result),
            _ => Err(errors),
        }
    }
}

/// Returns the error of a field that is not valid.
fn unless(valid: bool, error: &'static str) -> Option<&'static str> {
    (!valid).then_some(error)
}

/// Checks the expiry, `MM / YY`, `MMYY` or `MM/YYYY`, against the current month.
fn expiry_error(text: &str, now: Timestamp) -> Option<&'static str> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let parts = match digits.len() {
        4 => digits[..2].parse().ok().zip(digits[2..].parse().ok().map(|year: u32| 2_000 + year)),
        6 => digits[..2].parse().ok().zip(digits[2..].parse().ok()),
        _ => None,
    };
    let Some((month @ 1..=12, year)) = parts else {
        return Some("Enter the month and year shown on the card.");
    };
    let present = iso(now);
    let card = format!("{year:04}-{month:02}", month = month as u32);
    let expired = present.get(..7).is_some_and(|present| card.as_str() < present);
    unless(!expired, "The card has expired.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_795_157_640_000); // 2026-11-20

    fn card(number: &str, expiry: &str) -> Card {
        Card { number: number.into(), expiry: expiry.into(), cvc: "123".into(), name: "Ada".into() }
    }

    #[test]
    fn each_test_card_has_its_outcome() {
        let checked = |number| card(number, "12 / 30").check(NOW);
        assert_eq!(checked("4242 4242 4242 4242"), Ok(CardResult::Outcome(Outcome::Pay)));
        assert_eq!(checked("4000-0000-0000-0002"), Ok(CardResult::Outcome(Outcome::Decline)));
        assert_eq!(checked("4000000000009995"), Ok(CardResult::InsufficientFunds));
        assert_eq!(checked("5555555555554444").unwrap_err().card, Some("Use one of the test cards."));
    }

    #[test]
    fn every_field_is_checked_at_once() {
        let errors = Card::default().check(NOW).unwrap_err();
        assert!([errors.card, errors.expiry, errors.cvc, errors.name].iter().all(Option::is_some));
    }

    #[test]
    fn a_card_is_valid_to_the_end_of_its_month() {
        for good in ["11/26", "1126", "11 / 2026", "01/27"] {
            assert_eq!(expiry_error(good, NOW), None, "{good}");
        }
        for bad in ["10/26", "13/30", "00/30", "", "1", "1/1/1", "ä1126x9"] {
            assert!(expiry_error(bad, NOW).is_some(), "{bad}");
        }
    }
}
