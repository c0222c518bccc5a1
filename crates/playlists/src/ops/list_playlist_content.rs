//! `GET /playlists/{id}/content`: what a playlist shows, in its order (S-32).

use axum::Json;
use axum::extract::State;
use content::ContentOut;
use httpkit::{List, Path, Reply};
use identity::Bearer;
use kernel::{Problem, Uid};

use super::read_playlist::visible;
use crate::Playlists;

/// The content of a playlist; app users see what is public and ready.
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
