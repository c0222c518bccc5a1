//! `GET /playlists/{id}`: one playlist.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{Problem, Uid};
use orgs::rights::ListPlaylists;

use crate::dto::PlaylistOut;
use crate::model::{self, Playlist};
use crate::{Error, Playlists, store};

/// Get a playlist
///
/// App users can open public and unlisted playlists. Their items contain only the content they may see.
#[utoipa::path(get, path = "/playlists/{id}", tag = "playlists", params(("id" = Uuid, Path)), responses(
    (status = 200, body = PlaylistOut), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_playlist(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Path(id): Path<Uid>,
) -> ApiResult<Json<PlaylistOut>> {
    let (mut playlist, scope) = visible(&playlists, &bearer, id).await?;
    if !scope.role().is_staff() {
        let shown = std::slice::from_mut(&mut playlist);
        store::retain_open(playlists.db.read(), shown, playlists.content.open_ids(&scope)).await?;
    }
    Ok(Json(PlaylistOut::of(playlist, &playlists.public)))
}

/// Returns the playlist and the caller's scope in its organisation, if the caller may see the playlist.
pub async fn visible(
    playlists: &Playlists,
    bearer: &Bearer,
    id: Uid,
) -> Result<(Playlist, orgs::OrgScope<ListPlaylists>), Error> {
    let org = store::org_of(playlists.db.read(), id).await?;
    let scope = playlists.orgs.enter_for::<ListPlaylists>(bearer, org, "Playlist").await?;
    let playlist = store::by_id(playlists.db.read(), scope.org(), id).await?.ok_or(Error::NotFound)?;
    if scope.role().is_staff() || model::open_to_users(playlist.privacy) {
        Ok((playlist, scope))
    } else {
        Err(Error::NotFound)
    }
}
