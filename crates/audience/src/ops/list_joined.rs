//! `GET /viewer/organizations`: the organisations that the caller can open in the viewer app, and those that the
//! caller cannot open but can still leave, or withdraw the consent from.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List};
use identity::Caller;
use kernel::{OrgId, PersonId, Problem, PublicUrl, Uuid};
use orgs::{Organisation, Role, Standing, ThemeOut};
use serde::Serialize;

use crate::{Audience, Error, store};

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
    /// Whether the caller can open the organization. False if the caller is no longer a member, or the plan has ended.
    access: bool,
    /// Whether the plan is suspended: until it is paid, app users see no content of the organization.
    suspended: bool,
    /// Whether the caller is a member and can leave, which withdraws the consent as well.
    member: bool,
    /// The caller's role; null without access.
    role: Option<Role>,
    /// The caller's latest answer to the notice; null if the caller has not answered.
    consent: Option<bool>,
    /// URL of the web app manifest, with which the app is installed under the organization's name; null without access.
    manifest_url: Option<String>,
    /// URL of an icon of 180 pixels, for devices that read no manifest; null without access.
    app_icon_url: Option<String>,
}

impl JoinedOrganisationOut {
    fn of(organisation: Organisation, role: Option<Role>, consent: Option<bool>, public: &PublicUrl) -> Self {
        Self {
            uid: organisation.uid.into(),
            logo_url: public.address_of(organisation.logo.as_deref().unwrap_or_default()),
            theme: ThemeOut::of(&organisation.theme, public),
            name: organisation.name,
            description: organisation.description,
            pinned_playlists: organisation.pinned_playlists.into_iter().map(Into::into).collect(),
            default_playlist: organisation.default_playlist.map(Into::into),
            access: role.is_some(),
            suspended: role.is_some() && organisation.standing == Standing::Suspended,
            member: role.is_some(),
            role,
            consent,
            manifest_url: None,
            app_icon_url: None,
        }
    }

    /// Creates the shape of an organisation that the caller cannot open. Its playlists are left out.
    fn without_access(
        organisation: Organisation,
        member: bool,
        consent: Option<bool>,
        public: &PublicUrl,
    ) -> Self {
        let organisation =
            Organisation { pinned_playlists: Vec::new(), default_playlist: None, ..organisation };
        Self { member, ..Self::of(organisation, None, consent, public) }
    }
}

/// List your organizations
///
/// Returns the organizations in which the caller is an app user or staff, oldest membership first. They are followed
/// by those that the caller cannot open: organizations whose plan has ended, which the caller can leave, and those
/// that removed or blocked the caller but still hold the consent, which can be withdrawn.
#[utoipa::path(get, path = "/viewer/organizations", tag = "audience", responses(
    (status = 200, body = List<JoinedOrganisationOut>), (status = 401, body = Problem),
))]
pub async fn list_joined(
    State(audience): State<Audience>,
    caller: Caller,
) -> ApiResult<Json<List<JoinedOrganisationOut>>> {
    Ok(Json(joined(&audience, caller.person()).await?))
}

async fn joined(audience: &Audience, person: PersonId) -> Result<List<JoinedOrganisationOut>, Error> {
    let (conn, public) = (audience.db.read(), &audience.public);
    let memberships = audience.orgs.memberships_of(conn, person).await?;
    // Every organisation that holds an answer knows the person.
    let orgs = audience.orgs.orgs_that_know(conn, person).await?;
    let answers = store::consent::in_orgs(conn, person, &orgs).await?;
    let mut consent: BTreeMap<OrgId, bool> =
        answers.into_iter().map(|record| (record.org, record.consent.given)).collect();
    let mut joined = Vec::with_capacity(memberships.len());
    for (membership, organisation) in memberships {
        let answer = consent.remove(&membership.org);
        let install = audience.install.as_ref();
        let manifest_url = install.map(|install| install.manifest_url(&organisation));
        let app_icon_url = install.map(|install| install.icon_url(&organisation));
        let out = JoinedOrganisationOut::of(organisation, Some(membership.role), answer, public);
        joined.push(JoinedOrganisationOut { manifest_url, app_icon_url, ..out });
    }
    for (membership, organisation) in audience.orgs.ended_memberships_of(conn, person).await? {
        let answer = consent.remove(&membership.org);
        joined.push(JoinedOrganisationOut::without_access(organisation, true, answer, public));
    }
    for (org, _) in consent.into_iter().filter(|(_, given)| *given) {
        if let Some(organisation) = audience.orgs.organisation(conn, org).await? {
            joined.push(JoinedOrganisationOut::without_access(organisation, false, Some(true), public));
        }
    }
    Ok(joined.into_iter().collect())
}
