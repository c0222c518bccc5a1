//! `PUT /organizations/{id}/users/me/progress`: saving how far you are.

use std::collections::HashMap;

use axum::extract::State;
use db::SubjectPart;
use http::StatusCode;
use httpkit::{ApiResult, Body, Path, parse_time};
use identity::Bearer;
use kernel::{ContentId, OrgId, PlaylistId, Problem};
use orgs::OrgScope;
use orgs::rights::ListPlaylists;
use playlists::ItemPlacement;
use serde::Deserialize;

use crate::progress::Progress;
use crate::progress::model::{ItemProgress, Reported, progress_after, visits_after};
use crate::{Error, store};

/// Items in a request.
const ITEMS_MAX: usize = 50;

/// How far the caller is.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct ProgressIn {
    /// At most 50 items; none only tells that the caller is there.
    items: Vec<ItemProgressIn>,
}

/// How far the caller is in an item.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemProgressIn {
    #[schema(value_type = Uuid)]
    content_id: ContentId,
    /// Playlist in which it is open.
    #[schema(value_type = Uuid)]
    playlist_id: PlaylistId,
    /// Milliseconds, or the page of a document.
    #[schema(minimum = 0)]
    position: i64,
    /// Milliseconds or pages, if known.
    #[schema(minimum = 0)]
    length: Option<i64>,
    /// When the position was taken.
    time: String,
}

/// Save your progress
///
/// Stores positions to resume from and marks what was seen, for the caller alone; no consent is needed. Of several
/// devices, the newest position of an item wins. Items that the caller cannot see are ignored. Each request also keeps
/// the caller's visit alive; 30 minutes without one end it.
#[utoipa::path(put, path = "/organizations/{id}/users/me/progress", tag = "audience",
    params(("id" = Uuid, Path)), request_body = ProgressIn, responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn save_progress(
    State(progress): State<Progress>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Body(sent): Body<ProgressIn>,
) -> ApiResult<StatusCode> {
    let scope = progress.orgs.enter::<ListPlaylists>(&bearer, id).await.map_err(Error::from)?;
    let reported = parse(&progress, sent)?;
    save(&progress, &scope, reported).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Times ahead of the server are set to now, so that a device with a wrong clock does not win for ever.
fn parse(progress: &Progress, sent: ProgressIn) -> Result<Vec<Reported>, Problem> {
    if sent.items.len() > ITEMS_MAX {
        return Err(Problem::field("items", "too_many_items", "At most 50 items can be saved at once."));
    }
    let now = progress.ambient.now();
    let parsed = sent.items.into_iter().map(|item| {
        Ok(Reported {
            content: item.content_id,
            playlist: item.playlist_id,
            position: item.position.max(0),
            length: item.length,
            taken_at: parse_time("time", &item.time)?.min(now),
        })
    });
    parsed.collect()
}

async fn save(
    progress: &Progress,
    scope: &OrgScope<ListPlaylists>,
    reported: Vec<Reported>,
) -> Result<(), Error> {
    let places: Vec<ItemPlacement> = reported
        .iter()
        .map(|item| ItemPlacement { playlist: item.playlist, content: item.content })
        .collect();
    let visible = progress.playlists.shown(progress.db.read(), scope, &places).await?;
    let known: HashMap<ContentId, _> =
        visible.into_iter().map(|item| (item.content.uid.into(), item.content)).collect();
    // Only rows of the person are written, so the organisation's events need not wait.
    let own = SubjectPart::new(scope.org(), scope.person());
    let tx = progress.db.write_tx_on_part(scope.org(), own).await?;
    // The person may have left since; then nothing may be stored.
    let scope = progress.orgs.confirm_shared(&tx, scope).await?;
    let (org, person) = (scope.org(), scope.person());
    let ids: Vec<ContentId> = known.keys().copied().collect();
    let mut stored = store::progress::among(&tx, org, person, &ids).await?;
    let mut changed: HashMap<ContentId, ItemProgress> = HashMap::new();
    for item in reported {
        let Some(content) = known.get(&item.content) else { continue };
        // The length of a document is only known to the app.
        let item = Reported { length: content.duration_ms.or(item.length), ..item };
        if let Some(after) = progress_after(stored.get(&item.content), item, content.kind) {
            stored.insert(item.content, after);
            changed.insert(item.content, after);
        }
    }
    let changed: Vec<ItemProgress> = changed.into_values().collect();
    store::progress::put(&tx, org, person, &changed).await?;
    let visits = store::progress::visits(&tx, org, person).await?;
    let visits = visits_after(visits, progress.ambient.now());
    store::progress::put_visits(&tx, org, person, visits).await?;
    tx.commit().await?;
    Ok(())
}
