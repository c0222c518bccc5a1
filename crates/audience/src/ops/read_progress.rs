//! `GET /organizations/{id}/users/me/progress`: what Home shows a person who returns.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{OrgId, Problem, Uuid, iso};
use orgs::OrgScope;
use orgs::rights::ListPlaylists;
use playlists::{ItemPlacement, ShownItemOut};
use serde::Serialize;

use crate::progress::Progress;
use crate::progress::model::{ItemProgress, visit_before};
use crate::{Error, store};

/// Items whose progress is returned.
const ITEMS: u64 = 500;
/// Items to continue, and new ones.
const SHOWN: usize = 12;

/// How far the caller is.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProgressOut {
    /// When the visit before this one ended; null on the first visit.
    last_visit: Option<String>,
    /// The latest items, at most 500, newest first.
    items: Vec<ItemProgressOut>,
    /// Items with a position to resume from, at most 12, newest first.
    continue_watching: Vec<ShownItemOut>,
    /// Items of listed playlists that were created after the last visit, at most 12, newest first.
    new_items: Vec<ShownItemOut>,
}

/// How far the caller is in an item.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemProgressOut {
    content_id: Uuid,
    /// Playlist in which it was opened last.
    playlist_id: Uuid,
    /// Where to resume: milliseconds, or the page of a document; 0 for the beginning. Positions under 5 % and from
    /// 90 % are not kept, nor are those in videos and audio under 5 minutes.
    position: i64,
    /// Milliseconds or pages, if known.
    length: Option<i64>,
    /// Whether the caller has finished it at least once.
    seen: bool,
    /// When the position was taken.
    time: String,
}

impl ItemProgressOut {
    fn of(item: ItemProgress) -> Self {
        Self {
            content_id: item.content.into(),
            playlist_id: item.playlist.into(),
            position: item.position,
            length: item.length,
            seen: item.seen_at.is_some(),
            time: iso(item.taken_at),
        }
    }
}

/// Get your progress
///
/// Returns positions to resume from, marks of what was seen, and what is new since the last visit: the caller's alone.
#[utoipa::path(get, path = "/organizations/{id}/users/me/progress", tag = "audience",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = ProgressOut), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_progress(
    State(progress): State<Progress>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
) -> ApiResult<Json<ProgressOut>> {
    let scope = progress.orgs.enter::<ListPlaylists>(&bearer, id).await.map_err(Error::from)?;
    Ok(Json(read(&progress, &scope).await?))
}

async fn read(progress: &Progress, scope: &OrgScope<ListPlaylists>) -> Result<ProgressOut, Error> {
    let (conn, org, person) = (progress.db.read(), scope.org(), scope.person());
    let items = store::progress::latest(conn, org, person, ITEMS).await?;
    // A few more than are shown, because some may no longer be visible.
    let begun = items.iter().filter(|item| item.position > 0).take(2 * SHOWN);
    let places: Vec<ItemPlacement> =
        begun.map(|item| ItemPlacement { playlist: item.playlist, content: item.content }).collect();
    let mut continue_watching = progress.playlists.shown(conn, scope, &places).await?;
    continue_watching.truncate(SHOWN);
    let visits = store::progress::visits(conn, org, person).await?;
    let last_visit = visit_before(visits, progress.ambient.now());
    let new_items = match last_visit {
        Some(since) => progress.playlists.new_since(conn, scope, since, SHOWN as u64).await?,
        None => Vec::new(),
    };
    Ok(ProgressOut {
        last_visit: last_visit.map(iso),
        items: items.into_iter().map(ItemProgressOut::of).collect(),
        continue_watching,
        new_items,
    })
}
