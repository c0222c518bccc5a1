//! JSON shapes used by more than one operation.

use kernel::{PublicUrl, Uuid, iso};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Person;
use crate::refresh::App;

/// An empty response, the same for known and unknown addresses.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Accepted {}

/// An email address and its password.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct PasswordIn {
    pub email: String,
    pub password: String,
    /// The app to sign in to; each has its own session.
    #[serde(default)]
    pub app: App,
}

/// A free-form postal address.
pub type AddressOut = Option<Value>;

/// A person's profile.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileOut {
    /// The person's id.
    pub uid: Uuid,
    /// Name to show; may be empty.
    pub display_name: String,
    /// Email address, in lower case.
    pub email: String,
    /// Phone number as typed.
    pub phone_number: String,
    /// Absolute URL of the photo, or empty.
    #[serde(rename = "photoURL")]
    pub photo_url: String,
    /// First name; empty until onboarding.
    pub first_name: String,
    /// Last name; empty until onboarding.
    pub last_name: String,
    /// Company, or empty.
    pub company: String,
    /// https URL of the LinkedIn profile, or empty.
    pub linked_in: String,
    /// Free-form postal address, if any.
    #[schema(value_type = Option<Object>)]
    pub address: AddressOut,
    /// One of the job titles, or empty.
    pub job_title: String,
    /// One of the business areas, or empty.
    pub business_area: String,
    /// ISO 3166 code of the phone number's country, or else of the postal address; empty if both are unknown.
    pub country: String,
    /// Time of the first sign-in or sign-up.
    pub time_created: String,
}

impl ProfileOut {
    /// Keeps only id, display name and time: all that an organisation may know of people who left without
    /// consent.
    #[must_use]
    pub fn name_only(self) -> Self {
        Self {
            uid: self.uid,
            display_name: self.display_name,
            time_created: self.time_created,
            email: String::new(),
            phone_number: String::new(),
            photo_url: String::new(),
            first_name: String::new(),
            last_name: String::new(),
            company: String::new(),
            linked_in: String::new(),
            address: None,
            job_title: String::new(),
            business_area: String::new(),
            country: String::new(),
        }
    }

    /// Converts a person to the JSON shape of the profile.
    pub fn of(person: &Person, public: &PublicUrl) -> Self {
        Self {
            uid: person.uid.into(),
            display_name: person.display_name.clone().unwrap_or_default(),
            email: person.email.clone(),
            phone_number: person.phone_number.clone().unwrap_or_default(),
            photo_url: public.address_of(person.photo.as_deref().unwrap_or_default()),
            first_name: person.first_name.clone().unwrap_or_default(),
            last_name: person.last_name.clone().unwrap_or_default(),
            company: person.company.clone().unwrap_or_default(),
            linked_in: person.linked_in.clone().unwrap_or_default(),
            address: person.address.clone(),
            job_title: person.job_title.clone().unwrap_or_default(),
            business_area: person.business_area.clone().unwrap_or_default(),
            country: person.country().unwrap_or_default(),
            time_created: iso(person.created_at),
        }
    }
}

/// A session as returned to the browser. The refresh token is in a cookie that scripts cannot read.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionOut {
    /// Access token, to be sent as a bearer token.
    pub access_token: String,
    /// Seconds until the access token expires.
    pub expires_in: i64,
    /// Whether this sign-in created the account.
    pub is_new: bool,
    /// The profile of the signed-in person.
    pub profile: ProfileOut,
}
