//! `GET /organizations/{id}/dashboard`: the numbers on the Home screen.

use std::cmp::Reverse;
use std::collections::HashMap;

use axum::extract::State;
use content::ContentKind;
use httpkit::{ApiResult, LongJson, Path};
use identity::Bearer;
use kernel::{ContentId, OrgId, PlaylistId, Problem, Timestamp, Uuid};
use orgs::OrgScope;
use orgs::rights::ViewAnalytics;
use serde::Serialize;

use crate::definitions::zone::Zone;
use crate::dto::TotalOut;
use crate::store::reports::AllTime;
use crate::store::top::POPULAR_MAX;
use crate::store::total_packs::{POPULAR_SPAN, TotalsOfOrg};
use crate::total_pack::ItemTotals;
use crate::totals::Sum;
use crate::{Analytics, Error};

/// Maximum number of popular items, those with as many views as the last one included, before it is better to let the
/// database choose.
const TIED_MAX: usize = 24;

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
    let scope = analytics.deps.orgs.enter::<ViewAnalytics>(&bearer, id).await?;
    let AllTime { time_zone, total, playlists, content } = analytics.reports.all_time(scope.org()).await?;
    let popular = popular(&analytics, &scope, &Zone::named(&time_zone), &content).await?;
    let of_playlist = |(id, sum): (PlaylistId, Sum)| TotalOut {
        id: id.into(),
        view_count: sum.views,
        watch_time_ms: sum.watch_ms,
    };
    let of_item = |one: ItemTotals| TotalOut {
        id: one.item.into(),
        view_count: one.views,
        watch_time_ms: one.watch_ms,
    };
    Ok(LongJson(DashboardOut {
        total_stats: TotalStatsOut { views: total.views, watch_time_ms: total.watch_ms },
        popular_content: popular,
        playlists: playlists.into_iter().map(of_playlist).collect(),
        content: content.items.into_iter().map(of_item).collect(),
    }))
}

async fn popular(
    analytics: &Analytics,
    scope: &OrgScope<ViewAnalytics>,
    zone: &Zone,
    content: &TotalsOfOrg,
) -> Result<Vec<PopularOut>, Error> {
    let (conn, now) = (analytics.deps.db.read(), analytics.deps.ambient.now());
    let since = zone.day(now - POPULAR_SPAN);
    let popular = if let Some(popular) = most_viewed(content, since) {
        popular
    } else {
        let popular = analytics.reports.popular(scope.org(), since, now).await?;
        popular.into_iter().map(|(item, sum)| (item, sum.views)).collect()
    };
    let ids: Vec<ContentId> = popular.iter().map(|(item, _)| *item).collect();
    let views: HashMap<ContentId, i64> = popular.into_iter().collect();
    let cards = analytics.deps.content.visible_items(conn, scope, None, &ids).await?;
    let mut popular: Vec<PopularOut> = cards
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
        .collect();
    popular.sort_by(|one, other| (other.views, &one.title).cmp(&(one.views, &other.title)));
    popular.truncate(POPULAR_MAX);
    Ok(popular)
}

/// Returns the items viewed most since the start of a day, with all that have as many views as the last of them. Returns
/// `None` if these are not known, or too many.
fn most_viewed(content: &TotalsOfOrg, since: Timestamp) -> Option<Vec<(ContentId, i64)>> {
    if content.recent_since != Some(since) {
        return None;
    }
    let recent = content.items.iter().map(|one| (one.item, one.recent_views));
    let mut popular: Vec<(ContentId, i64)> = recent.filter(|(_, views)| *views > 0).collect();
    if popular.len() > POPULAR_MAX {
        let (_, (_, last), _) = popular.select_nth_unstable_by_key(POPULAR_MAX - 1, |one| Reverse(one.1));
        let last = *last;
        popular.retain(|(_, views)| *views >= last);
    }
    (popular.len() <= TIED_MAX).then_some(popular)
}
