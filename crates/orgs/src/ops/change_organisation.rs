//! `PATCH /organizations/{id}`: settings, branding and pins.

use axum::Json;
use axum::extract::State;
use db::WriteTx;
use httpkit::{ApiResult, Body, Path, parse_time};
use identity::Bearer;
use kernel::{OrgId, Patch, PlaylistId, Privacy, Problem, Timestamp};
use serde::Deserialize;

use crate::audit::{AuditAction, AuditRecord};
use crate::dto::OrganisationOut;
use crate::model::{self, Changes, Organisation};
use crate::rights::{MakeOrganisationPrivate, Right, UpdateOrganisation};
use crate::{Error, Orgs, TxScope, store};

/// A change to an organization's settings.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct OrganisationPatch {
    #[serde(alias = "organization")]
    organisation: OrganisationIn,
}

/// The settings; fields that are not sent stay unchanged.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganisationIn {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    name: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    description: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    logo_url: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    website: Patch<String>,
    privacy: Option<Privacy>,
    #[serde(default)]
    #[schema(value_type = Option<Uuid>)]
    default_playlist: Patch<PlaylistId>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Uuid>>)]
    pinned_playlists: Patch<Vec<PlaylistId>>,
    theme: Option<ThemeIn>,
    contact: Option<ContactIn>,
    /// IANA name of the time zone in which days and hours are reported, such as `Europe/Berlin`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    time_zone: Patch<String>,
    /// The `timeModified` of the state you edited. If the organization has changed since then, the call fails
    /// with 409.
    time_modified: Option<String>,
}

/// Colors and wallpaper; fields that are not sent stay unchanged.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThemeIn {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    background_url: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    primary_color: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    secondary_color: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    brand_text_color: Patch<String>,
}

/// Contact details; fields that are not sent stay unchanged.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactIn {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    email: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone_number: Patch<String>,
}

/// Update an organization's settings
///
/// Changing the privacy to anything but public invalidates the joining link.
#[utoipa::path(patch, path = "/organizations/{id}", tag = "orgs", params(("id" = Uuid, Path)),
    request_body = OrganisationPatch, responses(
    (status = 200, body = OrganisationOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn change_organisation(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Body(patch): Body<OrganisationPatch>,
) -> ApiResult<Json<OrganisationOut>> {
    let sent = patch.organisation;
    if sent.only_makes_private() {
        return Ok(Json(save::<MakeOrganisationPrivate>(&orgs, &bearer, id, sent).await?));
    }
    Ok(Json(save::<UpdateOrganisation>(&orgs, &bearer, id, sent).await?))
}

async fn save<R: Right>(
    orgs: &Orgs,
    bearer: &Bearer,
    org: OrgId,
    sent: OrganisationIn,
) -> Result<OrganisationOut, Error> {
    // Without the right, the caller does not even learn whether the body is valid.
    orgs.enter::<R>(bearer, org).await?;
    let expected = sent.time_modified.as_deref().map(|text| parse_time("timeModified", text)).transpose()?;
    let changes = parse(orgs, sent)?;
    let tx = orgs.db.write_tx_on(org).await?;
    let scope = orgs.enter_in::<R>(&tx, bearer, org).await?;
    let organisation = change(orgs, &scope, changes, expected).await?;
    let is_individual = orgs.ports.seats.is_individual(&tx, org).await?;
    let out = OrganisationOut::of(&organisation, scope.role(), is_individual, &orgs.public);
    tx.commit().await?;
    Ok(out)
}

impl OrganisationIn {
    /// Returns whether the call makes the organisation private and changes nothing else, which is allowed
    /// whatever the standing of the plan.
    fn only_makes_private(&self) -> bool {
        let Self {
            name: Patch::Absent,
            description: Patch::Absent,
            logo_url: Patch::Absent,
            website: Patch::Absent,
            privacy: Some(Privacy::Private),
            default_playlist: Patch::Absent,
            pinned_playlists: Patch::Absent,
            theme: None,
            contact: None,
            time_zone: Patch::Absent,
            time_modified: _,
        } = self
        else {
            return false;
        };
        true
    }
}

fn parse(orgs: &Orgs, sent: OrganisationIn) -> Result<Changes, Error> {
    let mut changes = Changes {
        name: model::name(sent.name)?,
        description: model::text("description", sent.description)?,
        logo: model::image("logoUrl", &orgs.public, sent.logo_url)?,
        website: model::website(sent.website)?,
        privacy: sent.privacy,
        default_playlist: sent.default_playlist,
        pinned_playlists: model::pins(sent.pinned_playlists)?,
        time_zone: model::time_zone(sent.time_zone)?,
        ..Changes::default()
    };
    if let Some(theme) = sent.theme {
        changes.background = model::image("theme.backgroundUrl", &orgs.public, theme.background_url)?;
        changes.primary = model::colour("theme.primaryColor", theme.primary_color)?;
        changes.secondary = model::colour("theme.secondaryColor", theme.secondary_color)?;
        changes.text = model::colour("theme.brandTextColor", theme.brand_text_color)?;
    }
    if let Some(contact) = sent.contact {
        changes.contact_email = model::contact_email(contact.email)?;
        changes.contact_phone = model::optional_text("contact.phoneNumber", contact.phone_number)?;
    }
    Ok(changes)
}

async fn change<R: Right>(
    orgs: &Orgs,
    scope: &TxScope<'_, R>,
    changes: Changes,
    expected_modified_at: Option<Timestamp>,
) -> Result<Organisation, Error> {
    let tx = scope.tx();
    let now = orgs.ambient.now();
    let stored = store::organisation::by_uid(tx, scope.org(), now).await?.ok_or(Error::NotFound)?;
    if expected_modified_at.is_some_and(|expected| expected != stored.modified_at) {
        return Err(Error::Changed);
    }
    if changes == Changes::default() {
        return Ok(stored);
    }
    check_playlists(orgs, tx, &stored, &changes).await?;
    check_images(orgs, tx, scope.org(), &changes).await?;
    let now = stored.next_modified_at(now);
    let changed = store::organisation::change(tx, scope.org(), changes, now).await?;
    let settings = |organisation: &Organisation| {
        let out = OrganisationOut::of(organisation, scope.role(), false, &orgs.public);
        // Not a setting, and different after each change.
        serde_json::to_value(OrganisationOut { time_modified: String::new(), ..out }).unwrap_or_default()
    };
    let record = AuditRecord::by(scope, AuditAction::OrganisationChanged, scope.org()).named(&changed.name);
    orgs.record(tx, record.change(settings(&stored), settings(&changed))).await?;
    Ok(changed)
}

/// Checks that new pins are public and that the default playlist exists. A pinned playlist that is no longer
/// public stays pinned until it is unpinned.
async fn check_playlists(
    orgs: &Orgs,
    tx: &WriteTx,
    stored: &Organisation,
    changes: &Changes,
) -> Result<(), Error> {
    let org = stored.uid;
    if let Patch::Value(id) = changes.default_playlist
        && !orgs.ports.playlists.exists(tx, org, id).await?
    {
        return Err(Error::UnknownPlaylist);
    }
    if let Some(pins) = &changes.pinned_playlists {
        let new: Vec<PlaylistId> =
            pins.iter().filter(|id| !stored.pinned_playlists.contains(id)).copied().collect();
        let public = orgs.ports.playlists.public_among(tx, org, &new).await?;
        if new.iter().any(|id| !public.contains(id)) {
            return Err(Error::PinNotPublic);
        }
    }
    Ok(())
}

/// Accepts only images uploaded for this organisation.
async fn check_images(orgs: &Orgs, tx: &WriteTx, org: OrgId, changes: &Changes) -> Result<(), Error> {
    for (field, path) in [("logoUrl", &changes.logo), ("theme.backgroundUrl", &changes.background)] {
        if let Patch::Value(path) = path
            && !orgs.ports.images.is_owned_by(tx, org, path).await?
        {
            return Err(Error::ForeignImage(field));
        }
    }
    Ok(())
}
