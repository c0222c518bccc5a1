//! `DELETE /playlists/{id}`: removes the playlist and its pin, for good after 30 days or on request; its content
//! stays.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path, Query};
use identity::Bearer;
use kernel::{PlaylistId, Problem};
use orgs::rights::EditPlaylists;
use orgs::{AuditAction, AuditRecord, OrgScope};
use serde::Deserialize;

use crate::{Error, Playlists, store};

/// How to delete the playlist.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeleteQuery {
    /// `true` removes the playlist now, so that it cannot be restored. Also works on a playlist that was deleted
    /// before.
    #[serde(default)]
    permanent: bool,
}

/// Delete a playlist
///
/// Its content is kept. The playlist can be restored for 30 days.
#[utoipa::path(delete, path = "/playlists/{id}", tag = "playlists", params(("id" = Uuid, Path), DeleteQuery), responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn delete_playlist(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Path(id): Path<PlaylistId>,
    Query(query): Query<DeleteQuery>,
) -> ApiResult<StatusCode> {
    let owner = if query.permanent { store::deleted::owner_of_either(id) } else { store::owner(id) };
    let scope = playlists.orgs.enter_of::<EditPlaylists>(&bearer, owner, "Playlist").await?;
    delete(&playlists, &scope, id, query.permanent).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn delete(
    playlists: &Playlists,
    scope: &OrgScope<EditPlaylists>,
    id: PlaylistId,
    permanent: bool,
) -> Result<(), Error> {
    let tx = playlists.db.write_tx_on(scope.org()).await?;
    let scope = playlists.orgs.confirm_in(&tx, scope).await?;
    let playlist = store::by_id(&tx, scope.org(), id).await?;
    // A playlist that was deleted before has an entry.
    if let Some(playlist) = &playlist {
        store::remove(&tx, scope.org(), id, playlists.ambient.now()).await?;
        let deleted = AuditRecord::by(&scope, AuditAction::PlaylistDeleted, id).named(&playlist.title);
        playlists.orgs.record(&tx, deleted).await?;
        playlists.orgs.forget_playlist(&tx, scope.org(), id).await?;
    }
    let removed = permanent && store::deleted::remove(&tx, scope.org(), id).await?;
    if playlist.is_none() && !removed {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(())
}
