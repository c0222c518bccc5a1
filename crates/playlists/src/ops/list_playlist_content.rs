//! `GET /playlists/{id}/content`: the items of a playlist, in order.

use axum::Json;
use axum::extract::State;
use content::ContentOut;
use httpkit::{List, Path, Reply};
use identity::Bearer;
use kernel::{Problem, Uid};

use super::read_playlist::visible;
use crate::Playlists;

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
    Path(id): Path<Uid>,
) -> Reply<Json<List<ContentOut>>> {
    let (playlist, scope) = visible(&playlists, &bearer, id).await?;
    let shelf = Some((playlist.uid, playlist.privacy));
    let cards = playlists.content.cards(playlists.db.read(), &scope, shelf, &playlist.items).await?;
    Ok(Json(List { data: cards }))
}
