//! One file per operation.

mod change_playlist;
mod create_playlist;
mod delete_playlist;
mod list_deleted_playlists;
mod list_playlist_content;
mod list_playlists;
mod read_playlist;
mod restore_playlist;
mod search;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Playlists;

pub fn routes() -> OpenApiRouter<Playlists> {
    OpenApiRouter::new()
        .routes(routes!(list_playlists::list_playlists, create_playlist::create_playlist))
        .routes(routes!(
            read_playlist::read_playlist,
            change_playlist::change_playlist,
            delete_playlist::delete_playlist
        ))
        .routes(routes!(list_deleted_playlists::list_deleted_playlists))
        .routes(routes!(restore_playlist::restore_playlist))
        .routes(routes!(list_playlist_content::list_playlist_content))
        .routes(routes!(search::search))
}
