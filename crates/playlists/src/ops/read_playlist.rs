//! `GET /playlists/{id}`: one playlist.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{PlaylistId, Problem};

use crate::dto::PlaylistOut;
use crate::{Error, Playlists, access, store};

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
    let (playlist, scope) = access::visible(&playlists, &bearer, id).await?;
    let mut shown = vec![playlist];
    if !scope.role().is_staff() {
        store::retain_open(playlists.db.read(), &mut shown, playlists.content.open_ids(&scope)).await?;
    }
    let mut shown = playlists.with_previews(playlists.db.read(), &scope, shown).await?;
    Ok(Json(shown.pop().ok_or(Error::NotFound)?))
}
