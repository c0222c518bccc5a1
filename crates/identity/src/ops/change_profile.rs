//! `PATCH /profiles`: changes the caller's profile.

use axum::Json;
use axum::extract::State;
use db::WriteTx;
use httpkit::{ApiResult, Body};
use kernel::{Patch, PersonId, Problem};
use serde::Deserialize;
use serde_json::Value;

use crate::model::{self, ProfileChange};
use crate::{Caller, Error, Identity, ProfileOut, store};

/// A change to your profile.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct ProfilePatch {
    user: ProfileIn,
}

/// The fields of the profile; fields that are not sent stay unchanged.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileIn {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    display_name: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    first_name: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    last_name: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone_number: Patch<String>,
    #[serde(default, rename = "photoURL")]
    #[schema(value_type = Option<String>)]
    photo_url: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    company: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    linked_in: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    address: Patch<Value>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    job_title: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    business_area: Patch<String>,
    /// True if the person accepts the terms. The time is recorded, but not part of the profile.
    #[serde(default)]
    terms_accepted: bool,
}

/// Update your profile
///
/// A photo must be an image that you uploaded here. Without a calling code, the phone number is taken to be
/// from the country of the postal address.
#[utoipa::path(patch, path = "/profiles", tag = "identity", request_body = ProfilePatch, responses(
    (status = 200, body = ProfileOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn change_profile(
    State(identity): State<Identity>,
    caller: Caller,
    Body(patch): Body<ProfilePatch>,
) -> ApiResult<Json<ProfileOut>> {
    let tx = identity.db.write_tx().await?;
    let stored = store::person::by_uid(&tx, caller.person()).await?;
    let stored = stored.ok_or_else(|| Problem::not_found("Profile"))?;
    let change = parse(&identity, patch.user, stored.address.as_ref())?;
    check_photo(&identity, &tx, caller.person(), &change).await?;
    let person = store::person::change(&tx, caller.person(), change, identity.ambient.now()).await?;
    identity.report_profile(&tx, caller.person()).await?;
    tx.commit().await?;
    let person = person.ok_or_else(|| Problem::not_found("Profile"))?;
    Ok(Json(identity.profile(&person)))
}

/// Accepts only photos that the person uploaded here, never images on other hosts.
async fn check_photo(
    identity: &Identity,
    tx: &WriteTx,
    person: PersonId,
    change: &ProfileChange,
) -> Result<(), Error> {
    let Patch::Value(path) = &change.photo else { return Ok(()) };
    match &identity.photos {
        Some(photos) if photos.is_owned_by(tx, person, path).await? => Ok(()),
        _ => Err(Error::ForeignImage),
    }
}

/// Validates the change. A phone number without a calling code belongs to the country of the postal address:
/// the new one, if sent, or else `address`.
fn parse(identity: &Identity, user: ProfileIn, address: Option<&Value>) -> Result<ProfileChange, Error> {
    if let Patch::Value(address) = &user.address {
        model::check_address("address", address)?;
    }
    let country = match &user.address {
        Patch::Absent => address.and_then(model::country_of),
        Patch::Null => None,
        Patch::Value(address) => model::country_of(address),
    };
    let (phone_number, phone_e164) = model::phone(user.phone_number, country)?;
    Ok(ProfileChange {
        display_name: model::optional("displayName", user.display_name)?,
        first_name: model::required("firstName", "First name is required ", user.first_name)?,
        last_name: model::required("lastName", "Last name is required ", user.last_name)?,
        phone_number,
        phone_e164,
        photo: model::photo_path(&identity.public, user.photo_url)?,
        company: model::optional("company", user.company)?,
        linked_in: model::linked_in(user.linked_in)?,
        address: user.address,
        job_title: model::optional("jobTitle", user.job_title)?,
        business_area: model::optional("businessArea", user.business_area)?,
        accepts_terms: user.terms_accepted,
    })
}
