//! People and the rules for their profiles.

use kernel::{Millis, Patch, Phone, Problem, PublicUrl, Uid, WebUrl};
use serde_json::Value;

use crate::Error;

/// Maximum length of a text field of the profile, in characters.
pub const FIELD_MAX: usize = 200;
/// Maximum size of a postal address, in bytes of JSON.
const ADDRESS_MAX: usize = 4096;

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The person's id.
    pub uid: Uid,
    /// Email address, in lower case.
    pub email: String,
    /// Name to show; may be empty.
    pub display_name: String,
    /// First name; empty until onboarding.
    pub first_name: String,
    /// Last name; empty until onboarding.
    pub last_name: String,
    /// Phone number as typed.
    pub phone_number: String,
    /// Phone number in E.164 form, if it is valid and its country is known.
    pub phone_e164: Option<String>,
    /// Path of the photo on this server, or empty.
    pub photo: String,
    /// Company, or empty.
    pub company: String,
    /// https URL of the LinkedIn profile, or empty.
    pub linked_in: String,
    /// Free-form postal address.
    pub address: Option<Value>,
    /// One of the job titles, or empty.
    pub job_title: String,
    /// One of the business areas, or empty.
    pub business_area: String,
    /// Time of the first sign-in or sign-up.
    pub created_at: Millis,
    /// Whether the person is verified as the owner of the email address.
    pub is_verified: bool,
}

/// A change of a person's own profile; absent fields stay as they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ProfileChange {
    pub display_name: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub phone_number: Option<String>,
    pub phone_e164: Option<Option<String>>,
    pub photo: Option<String>,
    pub company: Option<String>,
    pub linked_in: Option<String>,
    pub address: Patch<Value>,
    pub job_title: Option<String>,
    pub business_area: Option<String>,
    pub accepts_terms: bool,
}

/// Validates a text field that may be empty.
pub fn optional(field: &'static str, value: Patch<String>) -> Result<Option<String>, Error> {
    let value = value.or_null(String::new());
    match &value {
        Some(text) if text.chars().count() > FIELD_MAX => Err(Error::TooLong(field)),
        _ => Ok(value),
    }
}

/// Validates a text field that must not be empty. The API contract fixes the messages, trailing space
/// included.
pub fn required(
    field: &'static str,
    message: &'static str,
    value: Patch<String>,
) -> Result<Option<String>, Error> {
    match optional(field, value)? {
        Some(text) if text.trim().is_empty() => Err(Error::Required(field, message)),
        other => Ok(other),
    }
}

/// Validates the URL of a LinkedIn profile; may be empty. Only https is allowed, because it is shown as a
/// link.
pub fn linked_in(value: Patch<String>) -> Result<Option<String>, Error> {
    match optional("linkedIn", value)? {
        Some(text) if !text.is_empty() => match WebUrl::parse(&text) {
            Some(url) if url.url().scheme() == "https" => Ok(Some(text.trim().to_owned())),
            _ => Err(Error::InvalidLink("linkedIn")),
        },
        other => Ok(other),
    }
}

/// Validates a postal address, which must be an object of at most 4 KiB.
///
/// # Errors
/// 400 that names the field.
pub fn check_address(field: &'static str, address: &Value) -> Result<(), Problem> {
    if !address.is_object() {
        return Err(Problem::field(field, "invalid_address", format!("{field} must be an object or null.")));
    }
    if address.to_string().len() > ADDRESS_MAX {
        return Err(Problem::field(field, "too_long", format!("{field} is too long.")));
    }
    Ok(())
}

impl Person {
    /// Returns the ISO 3166 code of the phone number's country, or else of the postal address; empty if both
    /// are unknown.
    pub fn country(&self) -> String {
        let by_phone = self.phone_e164.as_deref().and_then(kernel::country_of_phone);
        let by_address = || self.address.as_ref().and_then(country_of).map(str::to_owned);
        by_phone.or_else(by_address).unwrap_or_default()
    }
}

/// Returns the country of a postal address if it has the form of an ISO 3166 code.
pub fn country_of(address: &Value) -> Option<&str> {
    let code = address["country"].as_str()?;
    (code.len() == 2 && code.bytes().all(|b| b.is_ascii_uppercase())).then_some(code)
}

/// Validates a phone number. Returns it as typed and, if possible, in E.164 form; `country` applies to
/// numbers without a calling code.
pub fn phone(
    value: Patch<String>,
    country: Option<&str>,
) -> Result<(Option<String>, Option<Option<String>>), Error> {
    let Some(text) = required("phoneNumber", "Phone number is required ", value)? else {
        return Ok((None, None));
    };
    let phone = Phone::parse(&text, country).ok_or(Error::TooLong("phoneNumber"))?;
    Ok((Some(phone.as_typed().to_owned()), Some(phone.e164().map(str::to_owned))))
}

/// Returns the path of an image on this server; an empty text removes the photo. Whether the image belongs to
/// the person is checked later through [`crate::PhotoOwnership`].
pub fn photo_path(public: &PublicUrl, value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        None => Ok(None),
        Some(text) if text.is_empty() => Ok(Some(text)),
        Some(text) => match public.image_path(&text) {
            Some(path) => Ok(Some(path.to_owned())),
            None => Err(Error::ForeignImage),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_is_an_object_of_at_most_four_kibibytes() {
        let code = |address: Value| check_address("address", &address).map_err(|problem| problem.code);
        assert_eq!(code(json!({})), Ok(()));
        assert_eq!(code(json!({ "street": "x".repeat(4083) })), Ok(()));
        assert_eq!(code(json!({ "street": "x".repeat(4084) })), Err("too_long".into()));
        for odd in [json!([]), json!("London"), json!(1)] {
            assert_eq!(code(odd), Err("invalid_address".into()));
        }
    }

    #[test]
    fn required_fields_may_be_left_out_but_not_emptied() {
        let first = |value| required("firstName", "First name is required ", value);
        assert!(matches!(first(Patch::Absent), Ok(None)));
        assert!(matches!(first(Patch::Null), Err(Error::Required("firstName", "First name is required "))));
        assert!(matches!(first(Patch::Value(" ".into())), Err(Error::Required(..))));
        assert!(matches!(first(Patch::Value("x".repeat(201))), Err(Error::TooLong("firstName"))));
        assert_eq!(first(Patch::Value("Ada".into())).unwrap().as_deref(), Some("Ada"));
    }
}
