//! `GET /join/{code}`: the page behind a joining link or an invitation.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use kernel::{Privacy, Problem};
use orgs::Organisation;
use serde::Serialize;

use crate::dto::{JoinOrganisationOut, NoticeOut};
use crate::{Audience, Error};

/// Playlists that are shown before joining.
const GLIMPSE: usize = 4;

/// A public playlist, as people see it before they join.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GlimpseOut {
    title: String,
    /// Absolute URL of the thumbnail that was chosen for it, or empty.
    preview_url: String,
    /// Number of items.
    content_count: usize,
}

/// Content of the join page.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinPageOut {
    organisation: JoinOrganisationOut,
    notice: NoticeOut,
    /// The only address that can join by an invitation; null for the organization's joining link.
    invited_email: Option<String>,
    /// Up to four public playlists of a public organization, pinned ones first. Empty for any other organization.
    glimpse: Vec<GlimpseOut>,
}

/// Get the join page of a link
///
/// Requires no token.
#[utoipa::path(get, path = "/join/{code}", tag = "audience", params(("code" = String, Path)), responses(
    (status = 200, body = JoinPageOut), (status = 404, body = Problem),
))]
pub async fn read_join_page(
    State(audience): State<Audience>,
    Path(code): Path<String>,
) -> ApiResult<Json<JoinPageOut>> {
    let link = audience.orgs.join_link(audience.db.read(), &code).await?.ok_or(Error::InvalidLink)?;
    Ok(Json(JoinPageOut {
        organisation: JoinOrganisationOut::of(&link.organisation, &audience.public),
        invited_email: link.invited_email().map(str::to_owned),
        glimpse: glimpse(&audience, &link.organisation).await?,
        notice: NoticeOut::current(),
    }))
}

async fn glimpse(audience: &Audience, organisation: &Organisation) -> Result<Vec<GlimpseOut>, Error> {
    let Some(playlists) = &audience.playlists else { return Ok(Vec::new()) };
    if organisation.privacy != Privacy::Public {
        return Ok(Vec::new());
    }
    let shown = playlists.glimpse(audience.db.read(), organisation, GLIMPSE).await?;
    Ok(shown
        .into_iter()
        .map(|playlist| GlimpseOut {
            preview_url: audience.public.address_of(playlist.preview.as_deref().unwrap_or_default()),
            content_count: playlist.items.len(),
            title: playlist.title,
        })
        .collect())
}
