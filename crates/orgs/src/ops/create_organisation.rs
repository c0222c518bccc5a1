//! `POST /organizations`: creates an organisation on a plan that has none yet.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Body, parse_uid};
use identity::Caller;
use kernel::Problem;
use serde::Deserialize;

use crate::dto::OrganisationOut;
use crate::model::{NewOrg, known_time_zone};
use crate::{Orgs, Role};

/// The organization to create.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewOrganisation {
    #[serde(alias = "organization")]
    organisation: NewOrganisationIn,
}

/// The data of a new organization.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewOrganisationIn {
    name: String,
    /// Id of the billing account that owns it; if it is absent, the newest of your accounts that can.
    account_id: Option<String>,
    /// IANA name of your time zone, which becomes that of the reports; UTC if it is absent or unknown.
    time_zone: Option<String>,
}

/// Create an organization on an unused plan
///
/// You become its super admin. Your email address must be verified, and you must manage an account with a
/// plan that has no organization yet.
#[utoipa::path(post, path = "/organizations", tag = "orgs", request_body = NewOrganisation, responses(
    (status = 201, body = OrganisationOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn create_organisation(
    State(orgs): State<Orgs>,
    caller: Caller,
    Body(new): Body<NewOrganisation>,
) -> ApiResult<(StatusCode, Json<OrganisationOut>)> {
    let account = new.organisation.account_id.as_deref().map(|id| parse_uid("accountId", id)).transpose()?;
    let new_org = NewOrg {
        name: new.organisation.name,
        owner: caller.person(),
        contact_email: None,
        contact_phone: None,
        time_zone: new.organisation.time_zone.as_deref().and_then(known_time_zone),
    };
    let tx = orgs.db.write_tx_on(caller.person()).await?;
    orgs.identity.require_verified_email(&tx, caller.person()).await?;
    let organisation = orgs.create(&tx, &new_org).await?;
    orgs.ports.provisions.assign(&tx, caller.person(), account, organisation.uid).await?;
    let is_individual = orgs.ports.seats.is_individual(&tx, organisation.uid).await?;
    tx.commit().await?;
    let out = OrganisationOut::of(&organisation, Role::SuperAdmin, is_individual, &orgs.public);
    Ok((StatusCode::CREATED, Json(out)))
}
