//! `GET /playlists/{id}`: one playlist.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{PlaylistId, Problem};

use crate::dto::PlaylistOut;
use crate::{Playlists, access, store};

/// Get a playlist
///
/// App users can open public and unlisted playlists. Their items contain only the content they may see.
#[utoipa::path(get, path = "/playlists/{id}", tag = "playlists", params(("id" = Uuid, Path)), responses(
    (status = 200, body = PlaylistOut), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_playlist(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Path(id): Path<PlaylistId>,
) -> ApiResult<Json<PlaylistOut>> {
    let (mut playlist, scope) = access::visible(&playlists, &bearer, id).await?;
    if !scope.role().is_staff() {
        let shown = std::slice::from_mut(&mut playlist);
        store::retain_open(playlists.db.read(), shown, playlists.content.open_ids(&scope)).await?;
    }
    Ok(Json(PlaylistOut::of(playlist, &playlists.public)))
}
