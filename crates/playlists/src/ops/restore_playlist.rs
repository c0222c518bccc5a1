//! `POST /playlists/{id}/restore`: takes back a deletion of the last 30 days.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{ContentId, PlaylistId, Problem};
use orgs::rights::EditPlaylists;
use orgs::{AuditAction, AuditRecord, OrgScope};

use crate::dto::PlaylistOut;
use crate::model::{DELETED_LIFETIME, Playlist};
use crate::{Error, Playlists, store};

/// Restore a deleted playlist
///
/// Works for 30 days after the deletion, unless the playlist was deleted permanently. Items that were deleted in the
/// meantime are left out, and it is not pinned.
#[utoipa::path(post, path = "/playlists/{id}/restore", tag = "playlists", params(("id" = Uuid, Path)), responses(
    (status = 200, body = PlaylistOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn restore_playlist(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Path(id): Path<PlaylistId>,
) -> ApiResult<Json<PlaylistOut>> {
    let scope =
        playlists.orgs.enter_of::<EditPlaylists>(&bearer, store::deleted::owner(id), "Playlist").await?;
    let playlist = restore(&playlists, &scope, id).await?;
    Ok(Json(PlaylistOut::of(playlist, &playlists.public)))
}

async fn restore(
    playlists: &Playlists,
    scope: &OrgScope<EditPlaylists>,
    id: PlaylistId,
) -> Result<Playlist, Error> {
    let (tx, now) = (playlists.db.write_tx_on(scope.org()).await?, playlists.ambient.now());
    let scope = playlists.orgs.confirm_in(&tx, scope).await?;
    let found = store::deleted::by_id(&tx, scope.org(), id, now - DELETED_LIFETIME).await?;
    let deleted = found.ok_or(Error::NotFound)?;
    let known = playlists.content.among(&tx, scope.org(), &deleted.items).await?;
    let items: Vec<ContentId> = deleted.items.iter().filter(|item| known.contains(item)).copied().collect();
    let playlist = store::deleted::restore(&tx, &deleted, items, now).await?;
    let record = AuditRecord::by(&scope, AuditAction::PlaylistRestored, id).named(&playlist.title);
    playlists.orgs.record(&tx, record).await?;
    // App users may see more than before.
    if let Some(announcer) = &playlists.announcer {
        announcer.changed(&tx, scope.org()).await?;
    }
    tx.commit().await?;
    Ok(playlist)
}
