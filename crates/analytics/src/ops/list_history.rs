//! `GET /organizations/{orgId}/users/{userId}/history`: a person's history.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path, Query};
use identity::Bearer;
use kernel::{OrgId, PersonId, Problem, Uuid, iso};
use orgs::rights::ViewAnalytics;
use serde::{Deserialize, Serialize};

use crate::Analytics;
use crate::series::{Range, VisibleRange};
use crate::store::people::ActivityEntry;
use crate::titles::Titles;

/// Time range of the history.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// Start of the range, ISO 8601, inclusive.
    time_start: Option<String>,
    /// End of the range, ISO 8601, exclusive; at most 366 days and an hour after the start.
    time_end: Option<String>,
}

/// An entry of a person's history.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityEntryOut {
    /// `visit`, `view`, `download` or `contact`.
    #[serde(rename = "type")]
    kind: String,
    time: String,
    content_id: Option<Uuid>,
    playlist_id: Option<Uuid>,
    /// Title of the content, or of the playlist if there is no content; null if it was deleted.
    title: Option<String>,
    /// Watch time of a view, in milliseconds; 0 for other entries.
    watch_time_ms: i64,
}

impl ActivityEntryOut {
    fn of(entry: ActivityEntry, titles: &Titles) -> Self {
        let title = match (entry.content, entry.playlist) {
            (Some(content), _) => titles.content.get(&content.into()),
            (None, Some(playlist)) => titles.playlists.get(&playlist),
            (None, None) => None,
        };
        Self {
            kind: entry.kind,
            time: iso(entry.at),
            content_id: entry.content.map(Into::into),
            playlist_id: entry.playlist.map(Into::into),
            title: title.cloned(),
            watch_time_ms: entry.watch_ms,
        }
    }
}

/// A person's history.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryOut {
    /// Newest first.
    data: Vec<ActivityEntryOut>,
    /// Start of what the plan shows, if the range began earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    limited_from: Option<String>,
}

/// List a person's history
///
/// Newest first, at most 200 entries, as far back as the plan shows. Empty if the person has not consented.
#[utoipa::path(get, path = "/organizations/{orgId}/users/{userId}/history", tag = "analytics",
    params(("orgId" = Uuid, Path), ("userId" = Uuid, Path), HistoryQuery), responses(
    (status = 200, body = HistoryOut), (status = 400, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_history(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Path((org_id, user_id)): Path<(OrgId, PersonId)>,
    Query(query): Query<HistoryQuery>,
) -> ApiResult<Json<HistoryOut>> {
    let scope = analytics.deps.orgs.enter::<ViewAnalytics>(&bearer, org_id).await?;
    let range =
        Range::parse(["timeStart", "timeEnd"], query.time_start.as_deref(), query.time_end.as_deref())?;
    let (_, VisibleRange { range, limited_from, .. }) = analytics.shown(scope.org(), range).await?;
    let entries = match analytics.consenting(scope.org(), user_id).await? {
        Some(who) => analytics.reports.history(who, range).await?,
        None => Vec::new(),
    };
    let titles = Titles::of(&analytics, &scope, &entries).await?;
    let data = entries.into_iter().map(|entry| ActivityEntryOut::of(entry, &titles)).collect();
    Ok(Json(HistoryOut { data, limited_from: limited_from.map(iso) }))
}
