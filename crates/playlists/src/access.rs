//! Who may open one playlist.

use identity::Bearer;
use kernel::PlaylistId;
use orgs::OrgScope;
use orgs::rights::ListPlaylists;

use crate::model::Playlist;
use crate::{Error, Playlists, store};

/// Returns the playlist and the caller's scope in its organisation, if the caller may see the playlist.
pub async fn visible(
    playlists: &Playlists,
    bearer: &Bearer,
    id: PlaylistId,
) -> Result<(Playlist, OrgScope<ListPlaylists>), Error> {
    let scope = playlists.orgs.enter_of::<ListPlaylists>(bearer, store::owner(id), "Playlist").await?;
    let playlist = store::by_id(playlists.db.read(), scope.org(), id).await?.ok_or(Error::NotFound)?;
    let now = playlists.ambient.now();
    if scope.role().is_staff() || playlist.access().is_open_to_users(now) {
        Ok((playlist, scope))
    } else {
        Err(Error::NotFound)
    }
}
