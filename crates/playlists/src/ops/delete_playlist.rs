//! `DELETE /playlists/{id}`: removes the playlist and its pin; its content stays.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{PlaylistId, Problem};
use orgs::rights::EditPlaylists;
use orgs::{AuditAction, AuditRecord};

use crate::{Error, Playlists, store};

/// Delete a playlist
///
/// Its content is kept.
#[utoipa::path(delete, path = "/playlists/{id}", tag = "playlists", params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn delete_playlist(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Path(id): Path<PlaylistId>,
) -> ApiResult<StatusCode> {
    let org = store::org_of(playlists.db.read(), id).await?;
    let scope = playlists.orgs.enter_for::<EditPlaylists>(&bearer, org, "Playlist").await?;
    let tx = playlists.db.write_tx_on(scope.org()).await?;
    let scope = playlists.orgs.confirm_in(&tx, &scope).await?;
    let Some(playlist) = store::by_id(&tx, scope.org(), id).await? else {
        return Err(Error::NotFound.into());
    };
    store::remove(&tx, scope.org(), id, playlists.ambient.now()).await?;
    let deleted = AuditRecord::by(&scope, AuditAction::PlaylistDeleted, id).named(&playlist.title);
    playlists.orgs.record(&tx, deleted).await?;
    playlists.orgs.forget_playlist(&tx, scope.org(), id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
