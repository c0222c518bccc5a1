//! `GET /viewer/organizations`: the organisations that the caller can open in the viewer app.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List};
use identity::Caller;
use kernel::{OrgId, Problem, Uuid};
use orgs::{Role, ThemeOut};
use serde::Serialize;

use crate::{Audience, store};

/// An organization as the viewer app shows it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinedOrganisationOut {
    uid: Uuid,
    name: String,
    /// Tagline of the organization.
    description: String,
    /// Absolute URL of the logo, or empty.
    logo_url: String,
    theme: ThemeOut,
    /// Ids of the pinned playlists, in order.
    pinned_playlists: Vec<Uuid>,
    /// Id of the playlist to open first.
    default_playlist: Option<Uuid>,
    /// The caller's role.
    role: Role,
    /// The caller's latest answer to the notice; null if the caller has not answered.
    consent: Option<bool>,
}

/// List your organizations
///
/// Returns the organizations in which the caller is an app user or staff, oldest membership first.
/// Organizations whose plan has ended are omitted.
#[utoipa::path(get, path = "/viewer/organizations", tag = "audience", responses(
    (status = 200, body = List<JoinedOrganisationOut>), (status = 401, body = Problem),
))]
pub async fn list_joined(
    State(audience): State<Audience>,
    caller: Caller,
) -> ApiResult<Json<List<JoinedOrganisationOut>>> {
    let conn = audience.db.read();
    let memberships = audience.orgs.memberships_of(conn, caller.person()).await?;
    let orgs: Vec<OrgId> = memberships.iter().map(|(membership, _)| membership.org).collect();
    let answers = store::consent::in_orgs(conn, caller.person(), &orgs).await?;
    let consent: HashMap<OrgId, bool> =
        answers.into_iter().map(|record| (record.org, record.consent.given)).collect();
    let public = &audience.public;
    Ok(Json(
        memberships
            .into_iter()
            .map(|(membership, organisation)| JoinedOrganisationOut {
                uid: organisation.uid.into(),
                logo_url: public.address_of(organisation.logo.as_deref().unwrap_or_default()),
                theme: ThemeOut::of(&organisation.theme, public),
                name: organisation.name,
                description: organisation.description,
                pinned_playlists: organisation.pinned_playlists.into_iter().map(Into::into).collect(),
                default_playlist: organisation.default_playlist.map(Into::into),
                role: membership.role,
                consent: consent.get(&membership.org).copied(),
            })
            .collect(),
    ))
}
