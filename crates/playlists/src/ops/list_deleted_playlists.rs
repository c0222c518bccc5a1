//! `GET /playlists/deleted?orgId=`: playlists that were deleted recently and can be restored.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Query, parse_org_id};
use identity::Bearer;
use kernel::{Problem, Uuid, iso};
use orgs::rights::EditPlaylists;
use serde::{Deserialize, Serialize};

use crate::model::DELETED_LIFETIME;
use crate::store::deleted::Deleted;
use crate::{Playlists, store};

/// Whose deleted playlists to list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct DeletedPlaylistsQuery {
    /// Organization whose deleted playlists to list.
    org_id: Option<String>,
    /// uid of the last playlist of the previous page.
    start_after: Option<String>,
    /// Page size, 1 to 100. Defaults to 20.
    #[param(value_type = Option<u32>)]
    limit: Option<String>,
}

/// A deleted playlist.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedPlaylistOut {
    uid: Uuid,
    org_id: Uuid,
    title: String,
    /// Absolute URL of the thumbnail, or empty.
    preview_url: String,
    /// Number of items when it was deleted.
    content_count: usize,
    /// Time of the deletion.
    time_deleted: String,
    /// When it is removed, after which it cannot be restored.
    time_removed: String,
}

/// List deleted playlists
///
/// Playlists that were deleted in the last 30 days, the latest deletion first. Playlists that were deleted
/// permanently are left out.
#[utoipa::path(get, path = "/playlists/deleted", tag = "playlists", params(DeletedPlaylistsQuery), responses(
    (status = 200, body = List<DeletedPlaylistOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_deleted_playlists(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Query(query): Query<DeletedPlaylistsQuery>,
) -> ApiResult<Json<List<DeletedPlaylistOut>>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = playlists.orgs.enter::<EditPlaylists>(&bearer, org).await?;
    let keyset = PageQuery { start_after: query.start_after, limit: query.limit }.keyset()?;
    let since = playlists.ambient.now() - DELETED_LIFETIME;
    let rows = store::deleted::page(playlists.db.read(), scope.org(), since, keyset).await?;
    let out = |Deleted { playlist, at }: Deleted| DeletedPlaylistOut {
        uid: playlist.uid.into(),
        org_id: playlist.org.into(),
        title: playlist.title,
        preview_url: playlist.preview.map(|path| playlists.public.at(&path)).unwrap_or_default(),
        content_count: playlist.items.len(),
        time_deleted: iso(at),
        time_removed: iso(at + DELETED_LIFETIME),
    };
    Ok(Json(rows.into_iter().map(out).collect()))
}
