//! `GET /playlists?orgId=`: an organisation's playlists.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Query, parse_org_id, search_text};
use identity::Bearer;
use kernel::Problem;
use orgs::rights::ListPlaylists;
use serde::Deserialize;

use crate::dto::PlaylistOut;
use crate::model::Sort;
use crate::{Playlists, store};

/// Filter and order of the list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PlaylistsQuery {
    /// Organization whose playlists to list.
    org_id: Option<String>,
    /// uid of the last item of the previous page.
    start_after: Option<String>,
    /// Page size, 1 to 100. Defaults to 20.
    #[param(value_type = Option<u32>)]
    limit: Option<String>,
    /// Text to find in the title.
    search: Option<String>,
    /// Order: new (default), title or watched.
    #[serde(default)]
    #[param(inline)]
    sort: Sort,
    /// Whether to return only public playlists, which is what app users get anyway.
    #[serde(default)]
    public: bool,
}

/// List playlists
///
/// Staff get all playlists. App users get the public ones, and in their items only the content they may see.
#[utoipa::path(get, path = "/playlists", tag = "playlists", params(PlaylistsQuery), responses(
    (status = 200, body = List<PlaylistOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn list_playlists(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Query(query): Query<PlaylistsQuery>,
) -> ApiResult<Json<List<PlaylistOut>>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = playlists.orgs.enter::<ListPlaylists>(&bearer, org).await?;
    let keyset = PageQuery { start_after: query.start_after, limit: query.limit }.keyset()?;
    let filter = store::Filter {
        public_only: query.public || !scope.role().is_staff(),
        open_at: (!scope.role().is_staff()).then(|| playlists.ambient.now()),
        search: search_text(query.search)?,
        sort: query.sort,
    };
    let mut rows = store::page(playlists.db.read(), scope.org(), &filter, keyset).await?;
    if !scope.role().is_staff() {
        store::retain_open(playlists.db.read(), &mut rows, playlists.content.open_ids(&scope)).await?;
    }
    let listed = playlists.with_previews(playlists.db.read(), &scope, rows).await?;
    Ok(Json(listed.into_iter().collect()))
}
