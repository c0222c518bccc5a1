//! `GET /playlists/{id}/content`: the items of a playlist, in order.

use axum::Json;
use axum::extract::State;
use content::ContentOut;
use httpkit::{ApiResult, List, Path};
use identity::Bearer;
use kernel::{PlaylistId, Problem};

use crate::{Playlists, access};

/// List the content of a playlist
///
/// App users get only items that are public and available.
#[utoipa::path(get, path = "/playlists/{id}/content", tag = "playlists", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = List<ContentOut>), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_playlist_content(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Path(id): Path<PlaylistId>,
) -> ApiResult<Json<List<ContentOut>>> {
    let (playlist, scope) = access::visible(&playlists, &bearer, id).await?;
    let shown_in = Some((playlist.uid, playlist.access()));
    let items =
        playlists.content.visible_items(playlists.db.read(), &scope, shown_in, &playlist.items).await?;
    Ok(Json(List { data: items }))
}
