//! `GET /organizations/{id}/dashboard`: the numbers on the Home screen.

use std::collections::HashMap;

use axum::extract::State;
use content::ContentKind;
use httpkit::{ApiResult, LongJson, Path};
use identity::Bearer;
use kernel::{ContentId, DAY, Millis, OrgId, Problem, Uuid};
use orgs::OrgScope;
use orgs::rights::ViewAnalytics;
use serde::Serialize;

use crate::definitions::zone::Zone;
use crate::dto::TotalOut;
use crate::store::reports::{self, AllTime};
use crate::store::top;
use crate::totals::Sum;
use crate::{Analytics, Error};

/// Period that the list of popular content covers.
const POPULAR_SPAN: Millis = 28 * DAY;

/// All-time totals.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotalStatsOut {
    views: i64,
    watch_time_ms: i64,
}

/// A popular content item.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PopularOut {
    id: Uuid,
    title: String,
    /// Absolute URL of the thumbnail, or empty.
    preview_url: String,
    kind: ContentKind,
    /// Length of what plays, if known.
    duration_ms: Option<i64>,
    /// URL of the waveform of audio, or empty.
    waveform_url: String,
    /// Views in the last 28 days.
    views: i64,
}

/// Numbers for the Home screen.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardOut {
    total_stats: TotalStatsOut,
    /// At most six items, most viewed first.
    popular_content: Vec<PopularOut>,
    /// All-time totals by playlist.
    playlists: Vec<TotalOut>,
    /// All-time totals by content item.
    content: Vec<TotalOut>,
}

/// Get an organization's dashboard
///
/// Returns all-time totals and the most viewed content of the last 28 days.
#[utoipa::path(get, path = "/organizations/{id}/dashboard", tag = "analytics", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = DashboardOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn read_dashboard(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
) -> ApiResult<LongJson<DashboardOut>> {
    let (scope, zone) = futures::try_join!(
        async { Ok(analytics.deps.orgs.enter::<ViewAnalytics>(&bearer, id).await?) },
        analytics.zone(id),
    )?;
    let (popular, AllTime { total, playlists, content }) =
        futures::try_join!(popular(&analytics, &scope, &zone), async {
            Ok(reports::all_time(analytics.deps.db.read(), scope.org()).await?)
        },)?;
    Ok(LongJson(DashboardOut {
        total_stats: TotalStatsOut { views: total.views, watch_time_ms: total.watch_ms },
        popular_content: popular,
        playlists: totals(playlists),
        content: totals(content),
    }))
}

fn totals<Id: Into<Uuid>>(rows: Vec<(Id, Sum)>) -> Vec<TotalOut> {
    rows.into_iter()
        .map(|(id, sum)| TotalOut { id: id.into(), view_count: sum.views, watch_time_ms: sum.watch_ms })
        .collect()
}

async fn popular(
    analytics: &Analytics,
    scope: &OrgScope<ViewAnalytics>,
    zone: &Zone,
) -> Result<Vec<PopularOut>, Error> {
    let (conn, org, now) = (analytics.deps.db.read(), scope.org(), analytics.deps.ambient.now());
    let since = zone.day(now - POPULAR_SPAN);
    let popular = top::popular(conn, org, since, now).await?;
    let ids: Vec<ContentId> = popular.iter().map(|(uid, _)| *uid).collect();
    let views: HashMap<ContentId, i64> = popular.into_iter().map(|(uid, sum)| (uid, sum.views)).collect();
    let cards = analytics.deps.content.visible_items(conn, scope, None, &ids).await?;
    Ok(cards
        .into_iter()
        .map(|card| PopularOut {
            id: card.uid,
            views: views.get(&card.uid.into()).copied().unwrap_or_default(),
            title: card.title,
            preview_url: card.preview_url,
            kind: card.kind,
            duration_ms: card.duration_ms,
            waveform_url: card.waveform_url,
        })
        .collect())
}
