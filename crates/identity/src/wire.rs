//! JSON shapes used by more than one operation.

use kernel::{PublicUrl, Uuid, iso};
use serde::Serialize;
use serde_json::Value;

use crate::Person;

/// A free-form postal address.
pub type AddressOut = Option<Value>;

/// A profile (spec section 3).
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileOut {
    /// The person's id.
    pub uid: Uuid,
    /// As the person wants to be called.
    pub display_name: String,
    /// The address people write to.
    pub email: String,
    /// As typed.
    pub phone_number: String,
    /// Absolute address of the photo, or empty.
    #[serde(rename = "photoURL")]
    pub photo_url: String,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Company.
    pub company: String,
    /// LinkedIn address.
    pub linked_in: String,
    /// Postal address, if any.
    #[schema(value_type = Option<Object>)]
    pub address: AddressOut,
    /// One of the job titles, or empty.
    pub job_title: String,
    /// One of the business areas, or empty.
    pub business_area: String,
    /// ISO 3166 code of the phone number's country, else of the address's, or empty.
    pub country: String,
    /// When the person came.
    pub time_created: String,
}

impl ProfileOut {
    /// Leaves the display name and the times: what an organisation may know of people who left without consent.
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

    /// The wire shape of a person.
    pub fn of(person: &Person, public: &PublicUrl) -> Self {
        Self {
            uid: person.uid,
            display_name: person.display_name.clone(),
            email: person.email.clone(),
            phone_number: person.phone_number.clone(),
            photo_url: public.address_of(&person.photo),
            first_name: person.first_name.clone(),
            last_name: person.last_name.clone(),
            company: person.company.clone(),
            linked_in: person.linked_in.clone(),
            address: person.address.clone(),
            job_title: person.job_title.clone(),
            business_area: person.business_area.clone(),
            country: person.country(),
            time_created: iso(person.created_at),
        }
    }
}

/// A session as handed to the browser; the refresh token travels in a cookie that scripts cannot read.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionOut {
    /// The bearer token.
    pub access_token: String,
    /// Seconds the token holds.
    pub expires_in: i64,
    /// Whether this sign-in made the identity.
    pub is_new: bool,
    /// The person.
    pub profile: ProfileOut,
}
