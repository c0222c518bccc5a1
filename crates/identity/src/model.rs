//! People and the rules for their profiles.

use kernel::{HOUR, MINUTE, Millis, Patch, PersonId, Phone, Problem, PublicUrl, Timestamp, WebUrl};
use sea_orm::{DeriveActiveEnum, EnumIter};
use serde_json::Value;

use crate::Error;

/// Maximum length of a text field of the profile, in characters.
pub const FIELD_MAX: usize = 200;
/// Maximum size of a postal address, in bytes of JSON.
const ADDRESS_MAX: usize = 4096;

/// The purpose of a code sent by email. Limits count each purpose separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Purpose {
    /// Signing in by magic link.
    #[sea_orm(string_value = "link")]
    Link,
    /// Choosing a new password.
    #[sea_orm(string_value = "reset")]
    Reset,
    /// Confirming the address of a sign-up by password.
    #[sea_orm(string_value = "confirmation")]
    Confirmation,
}

impl Purpose {
    /// Returns how long a code is valid.
    pub fn lifetime(self) -> Millis {
        match self {
            Self::Link => 10 * MINUTE,
            Self::Reset => HOUR,
            Self::Confirmation => 24 * HOUR,
        }
    }
}

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The person's id.
    pub uid: PersonId,
    /// Email address, in lower case.
    pub email: String,
    /// Name to show, if there is one.
    pub display_name: Option<String>,
    /// First name; `None` until onboarding.
    pub first_name: Option<String>,
    /// Last name; `None` until onboarding.
    pub last_name: Option<String>,
    /// Phone number as typed; `None` until onboarding.
    pub phone_number: Option<String>,
    /// Phone number in E.164 form, if it is valid and its country is known.
    pub phone_e164: Option<String>,
    /// Path of the photo on this server, if there is one.
    pub photo: Option<String>,
    /// Company, if known.
    pub company: Option<String>,
    /// https URL of the LinkedIn profile, if known.
    pub linked_in: Option<String>,
    /// Free-form postal address.
    pub address: Option<Value>,
    /// One of the job titles, if chosen.
    pub job_title: Option<String>,
    /// One of the business areas, if chosen.
    pub business_area: Option<String>,
    /// Time of the first sign-in or sign-up.
    pub created_at: Timestamp,
    /// Whether the person is verified as the owner of the email address.
    pub is_verified: bool,
}

impl Person {
    /// Fails unless the address is verified. The person must have been read in the transaction of the action that
    /// requires it.
    ///
    /// # Errors
    /// [`Error::EmailUnverified`] if the address is not verified.
    pub fn require_verified_email(&self) -> Result<(), Error> {
        if self.is_verified { Ok(()) } else { Err(Error::EmailUnverified) }
    }
}

/// Texts by which a person is found, folded by [`db::search::folded`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTexts {
    /// The display name.
    pub display_name: String,
    /// Display name, email address, company and full name, one per line.
    pub profile: String,
}

/// A change of a person's own profile; absent fields stay as they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ProfileChange {
    pub display_name: Patch<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub phone_number: Option<String>,
    pub phone_e164: Option<Option<String>>,
    pub photo: Patch<String>,
    pub company: Patch<String>,
    pub linked_in: Patch<String>,
    pub address: Patch<Value>,
    pub job_title: Patch<String>,
    pub business_area: Patch<String>,
    pub accepts_terms: bool,
}

/// Validates a text field that may be cleared, by null or by an empty text.
pub fn optional(field: &'static str, value: Patch<String>) -> Result<Patch<String>, Error> {
    match value.null_if_empty() {
        Patch::Value(text) if text.chars().count() > FIELD_MAX => Err(Error::TooLong(field)),
        other => Ok(other),
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
        Patch::Absent => Ok(None),
        Patch::Value(text) if !text.trim().is_empty() => Ok(Some(text)),
        Patch::Null | Patch::Value(_) => Err(Error::Required(field, message)),
    }
}

/// Validates the URL of a LinkedIn profile, which may be cleared. Only https is allowed, because it is shown
/// as a link.
pub fn linked_in(value: Patch<String>) -> Result<Patch<String>, Error> {
    optional("linkedIn", value)?.try_map(|text| match WebUrl::parse(&text) {
        Some(url) if url.url().scheme() == "https" => Ok(text.trim().to_owned()),
        _ => Err(Error::InvalidLink("linkedIn")),
    })
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
    /// Returns the ISO 3166 code of the phone number's country, or else of the postal address.
    pub fn country(&self) -> Option<String> {
        let by_phone = self.phone_e164.as_deref().and_then(kernel::country_of_phone);
        let by_address = || self.address.as_ref().and_then(country_of).map(str::to_owned);
        by_phone.or_else(by_address)
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
pub fn photo_path(public: &PublicUrl, value: Patch<String>) -> Result<Patch<String>, Error> {
    value
        .null_if_empty()
        .try_map(|text| public.image_path(&text).map(str::to_owned).ok_or(Error::ForeignImage))
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
