//! `POST /playlists`: a new playlist.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Body};
use identity::Bearer;
use kernel::{Problem, Uuid};
use orgs::rights::EditPlaylists;
use orgs::{AuditAction, AuditRecord, OrgScope};
use serde::Deserialize;

use crate::dto::{PlaylistIn, PlaylistOut};
use crate::model::{Draft, Playlist};
use crate::{Error, Playlists, store};

/// A new playlist and its organization.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPlaylist {
    playlist: PlaylistIn,
    org_id: Uuid,
    /// Whether to announce the playlist to app users by email, if they can see it within a week.
    #[serde(default)]
    notify_users: bool,
}

/// Create a playlist
#[utoipa::path(post, path = "/playlists", tag = "playlists", request_body = NewPlaylist, responses(
    (status = 201, body = PlaylistOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn create_playlist(
    State(playlists): State<Playlists>,
    bearer: Bearer,
    Body(new): Body<NewPlaylist>,
) -> ApiResult<(StatusCode, Json<PlaylistOut>)> {
    let scope = playlists.orgs.enter::<EditPlaylists>(&bearer, new.org_id.into()).await?;
    let draft = new.playlist.draft(&playlists.public)?;
    let playlist = create(&playlists, &scope, draft, new.notify_users).await?;
    Ok((StatusCode::CREATED, Json(PlaylistOut::of(playlist, &playlists.public))))
}

async fn create(
    playlists: &Playlists,
    scope: &OrgScope<EditPlaylists>,
    draft: Draft,
    notify: bool,
) -> Result<Playlist, Error> {
    let tx = playlists.db.write_tx_on(scope.org()).await?;
    let scope = playlists.orgs.confirm_in(&tx, scope).await?;
    if !playlists.content.exists_all(&tx, scope.org(), &draft.items).await? {
        return Err(Error::ForeignItems);
    }
    if let Some(path) = &draft.preview {
        playlists.check_preview(&tx, scope.org(), path).await?;
    }
    let (uid, now) = (playlists.ambient.uid(), playlists.ambient.now());
    let playlist = store::insert(&tx, scope.org(), uid, draft, now).await?;
    let created = AuditRecord::by(&scope, AuditAction::PlaylistCreated, uid).named(&playlist.title);
    playlists.orgs.record(&tx, created).await?;
    if let Some(announcer) = &playlists.announcer {
        if notify {
            announcer.published(&tx, scope.org(), uid).await?;
        }
        // It may contain items whose announcement is pending.
        if !playlist.items.is_empty() {
            announcer.changed(&tx, scope.org()).await?;
        }
    }
    tx.commit().await?;
    Ok(playlist)
}
