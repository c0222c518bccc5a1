//! `GET /viewer/search?orgId=&search=`: playlists and items by title.

use axum::Json;
use axum::extract::State;
use content::ItemFilter;
use httpkit::{ApiResult, Query, parse_org_id, search_text};
use identity::Bearer;
use kernel::{Keyset, Problem};
use orgs::OrgScope;
use orgs::rights::ListPlaylists;
use serde::{Deserialize, Serialize};

use crate::dto::{PlaylistOut, ShownItemOut};
use crate::model::Sort;
use crate::{Error, Playlists, store};

/// Results of each kind.
const LIMIT: u64 = 20;

/// What to look for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// Organization in which to search.
    org_id: Option<String>,
    /// Text to find in the title.
    search: Option<String>,
}

/// What the search found.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub struct SearchOut {
    /// At most 20 playlists, newest first.
    playlists: Vec<PlaylistOut>,
    /// At most 20 items, newest first, each in one of its playlists.
    items: Vec<ShownItemOut>,
}

/// Search playlists and items
///
/// Finds by title what the caller may see: app users get public playlists and the items in them, staff get all. Without
/// a text, nothing is found.
#[utoipa::path(get, path = "/viewer/search", tag = "playlists", params(SearchQuery), responses(
    (status = 200, body = SearchOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn search(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Query(query): Query<SearchQuery>,
) -> ApiResult<Json<SearchOut>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = playlists.orgs.enter::<ListPlaylists>(&bearer, org).await?;
    Ok(Json(match search_text(query.search)? {
        Some(text) => find(&playlists, &scope, text).await?,
        None => SearchOut::default(),
    }))
}

async fn find(
    playlists: &Playlists,
    scope: &OrgScope<ListPlaylists>,
    text: String,
) -> Result<SearchOut, Error> {
    let conn = playlists.db.read();
    let items = playlists.matching(conn, scope, ItemFilter::Title(&text), LIMIT).await?;
    let is_staff = scope.role().is_staff();
    let open_at = (!is_staff).then(|| playlists.ambient.now());
    let filter = store::Filter { public_only: !is_staff, open_at, search: Some(text), sort: Sort::New };
    let keyset = Keyset { start_after: None, limit: LIMIT };
    let mut rows = store::page(conn, scope.org(), &filter, keyset).await?;
    if !is_staff {
        store::retain_open(conn, &mut rows, playlists.content.open_ids(scope)).await?;
    }
    Ok(SearchOut { playlists: playlists.with_previews(conn, scope, rows).await?, items })
}
