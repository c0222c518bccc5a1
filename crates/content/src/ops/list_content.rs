//! `GET /content?orgId=`: an organisation's content.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Query, parse_org_id, search_text};
use identity::Bearer;
use kernel::Problem;
use orgs::rights::ListContent;
use serde::Deserialize;

use crate::dto::ContentOut;
use crate::grant::ViewContext;
use crate::model::{ContentKind, Processing};
use crate::store::content::Filter;
use crate::{Content, Error, store};

/// Filter of the list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ContentQuery {
    /// Organization whose content to list.
    org_id: Option<String>,
    /// uid of the last item of the previous page.
    start_after: Option<String>,
    /// Page size, 1 to 100. Defaults to 20.
    #[param(value_type = Option<u32>)]
    limit: Option<String>,
    /// Text to find in the title.
    search: Option<String>,
    /// Only items of this kind.
    kind: Option<ContentKind>,
    /// Only items whose processing is in this state.
    processing: Option<Processing>,
    /// `false` leaves out items that are in a playlist.
    in_playlist: Option<bool>,
}

/// List content
///
/// For staff: newest first, including private items and drafts.
#[utoipa::path(get, path = "/content", tag = "content", params(ContentQuery), responses(
    (status = 200, body = List<ContentOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_content(
    State(content): State<Content>,
    bearer: Bearer,
    Query(query): Query<ContentQuery>,
) -> ApiResult<Json<List<ContentOut>>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = content.orgs.enter::<ListContent>(&bearer, org).await.map_err(Error::from)?;
    let keyset = PageQuery { start_after: query.start_after, limit: query.limit }.keyset()?;
    let filter = Filter {
        search: search_text(query.search)?,
        kind: query.kind,
        processing: query.processing,
        not_in: (query.in_playlist == Some(false)).then(|| content.playlists.item_ids(scope.org())),
    };
    let rows = store::content::page(content.db.read(), scope.org(), filter, keyset).await?;
    let view = ViewContext::of(&scope, None);
    Ok(Json(rows.iter().map(|item| ContentOut::of(item, view, &content)).collect()))
}
