//! The card form of the checkout page and the portal, and the test cards.

use kernel::{Timestamp, iso};
use minijinja::context;
use minijinja::value::Value;

use crate::stripe::customer::NewCard;
use crate::stripe::objects::CardValues;
use crate::stripe::{Fields, Outcome};

/// The number of the card that pays.
const PAYS: &str = "4242424242424242";

/// The card form as filled in.
#[derive(Default)]
pub(super) struct Card {
    pub(super) number: String,
    pub(super) expiry: String,
    pub(super) cvc: String,
    pub(super) name: String,
}

/// The errors in the form, by field.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FieldErrors {
    pub(super) card: Option<&'static str>,
    pub(super) expiry: Option<&'static str>,
    pub(super) cvc: Option<&'static str>,
    pub(super) name: Option<&'static str>,
}

/// The effect of a valid form.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CardResult {
    Outcome(Outcome),
    InsufficientFunds,
}

impl FieldErrors {
    /// Returns the errors for the form.
    pub(super) fn values(&self) -> Value {
        context! { card => self.card, expiry => self.expiry, cvc => self.cvc, name => self.name }
    }
}

impl Card {
    /// Reads the fields of the form.
    pub(super) fn of(fields: &Fields) -> Self {
        let text = |name: &str| fields.get(name).unwrap_or_default().trim().to_owned();
        Self { number: text("card"), expiry: text("expiry"), cvc: text("cvc"), name: text("name") }
    }

    /// Returns what was entered, for the form. Number and CVC are those of a test card.
    pub(super) fn values(&self) -> Value {
        context! {
            number => self.number.as_str(), expiry => self.expiry.as_str(), cvc => self.cvc.as_str(),
            name => self.name.as_str(),
        }
    }

    /// Returns the card to be stored. The form must be valid.
    pub(super) fn new_card(&self) -> NewCard {
        let digits = self.digits();
        let (month, year) = month_and_year(&self.expiry).unwrap_or((12, 2_040));
        let last4 = digits.get(digits.len().saturating_sub(4)..).unwrap_or_default().to_owned();
        let values = CardValues { last4, month, year, name: Some(self.name.clone()) };
        NewCard { values, declines: digits != PAYS }
    }

    fn digits(&self) -> String {
        self.number.chars().filter(char::is_ascii_digit).collect()
    }

    /// Checks all fields. Returns the effect of the card.
    pub(super) fn check(&self, now: Timestamp) -> Result<CardResult, FieldErrors> {
        let result = match self.digits().as_str() {
            PAYS => Some(CardResult::Outcome(Outcome::Pay)),
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

fn month_and_year(text: &str) -> Option<(u32, u32)> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    match digits.len() {
        4 => digits[..2].parse().ok().zip(digits[2..].parse().ok().map(|year: u32| 2_000 + year)),
        6 => digits[..2].parse().ok().zip(digits[2..].parse().ok()),
        _ => None,
    }
}

/// Checks the expiry, `MM / YY`, `MMYY` or `MM/YYYY`, against the current month.
fn expiry_error(text: &str, now: Timestamp) -> Option<&'static str> {
    let Some((month @ 1..=12, year)) = month_and_year(text) else {
        return Some("Enter the month and year shown on the card.");
    };
    let present = iso(now);
    let card = format!("{year:04}-{month:02}");
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
