//! `PATCH /playlists/{id}`: details, privacy, dates, items and their order.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Body, Path};
use identity::Bearer;
use kernel::{Patch, PlaylistId, Privacy, Problem, iso};
use orgs::rights::EditPlaylists;
use orgs::{AuditAction, AuditRecord, OrgScope};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::dto::{PlaylistIn, PlaylistOut};
use crate::model::{self, Changes, Playlist};
use crate::{Error, Playlists, store};

/// Changes to a playlist.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct PlaylistPatch {
    playlist: PlaylistIn,
}

/// Update a playlist
///
/// Fields that are left out stay as they are. `items` is the whole list in its new order.
#[utoipa::path(patch, path = "/playlists/{id}", tag = "playlists", params(("id" = Uuid, Path)),
    request_body = PlaylistPatch, responses(
    (status = 200, body = PlaylistOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn change_playlist(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Path(id): Path<PlaylistId>,
    Body(patch): Body<PlaylistPatch>,
) -> ApiResult<Json<PlaylistOut>> {
    let scope = playlists.orgs.enter_of::<EditPlaylists>(&bearer, store::owner(id), "Playlist").await?;
    let changes = patch.playlist.changes(&playlists.public)?;
    let playlist = change(&playlists, &scope, id, changes).await?;
    Ok(Json(PlaylistOut::of(playlist, &playlists.public)))
}

async fn change(
    playlists: &Playlists,
    scope: &OrgScope<EditPlaylists>,
    id: PlaylistId,
    mut changes: Changes,
) -> Result<Playlist, Error> {
    let tx = playlists.db.write_tx_on(scope.org()).await?;
    let scope = playlists.orgs.confirm_in(&tx, scope).await?;
    let stored = store::by_id(&tx, scope.org(), id).await?.ok_or(Error::NotFound)?;
    if changes.expected_modified_at.is_some_and(|expected| expected != stored.modified_at) {
        return Err(Error::Conflict);
    }
    changes.schedule.applied_to(stored.schedule)?;
    if let Some(items) = &mut changes.items {
        let known = playlists.content.among(&tx, scope.org(), items).await?;
        *items = model::retain_existing(items, &known, &stored.items)?;
    }
    if let Patch::Value(path) = &changes.preview {
        playlists.check_preview(&tx, scope.org(), path).await?;
    }
    // Two changes within one millisecond must still have different times, because editors compare them.
    let now = playlists.ambient.now().max(stored.modified_at + 1);
    let opens =
        changes.items.is_some() || changes.privacy == Some(Privacy::Public) || changes.schedule.is_sent();
    let playlist = store::change(&tx, scope.org(), id, changes, now).await?;
    let changed = AuditRecord::by(&scope, AuditAction::PlaylistChanged, id).named(&playlist.title);
    playlists.orgs.record(&tx, changed.change(details(&stored), details(&playlist))).await?;
    if let Some(announcer) = playlists.announcer.as_ref().filter(|_| opens) {
        announcer.changed(&tx, scope.org()).await?;
    }
    tx.commit().await?;
    Ok(playlist)
}

/// Returns what the audit log compares.
fn details(playlist: &Playlist) -> Value {
    let Playlist { title, description, privacy, schedule, preview, .. } = playlist;
    json!({
        "title": title, "description": description, "privacy": privacy, "preview": preview,
        "publishAt": schedule.publish_at.map(iso), "expireAt": schedule.expire_at.map(iso),
        "contact": { "email": playlist.contact_email, "phoneNumber": playlist.contact_phone },
    })
}
