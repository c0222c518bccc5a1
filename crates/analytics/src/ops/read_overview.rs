//! `GET /analytics/overview`: an organisation's numbers in a range.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Query};
use identity::Bearer;
use kernel::{Problem, iso};
use orgs::rights::ViewAnalytics;
use serde::Serialize;

use crate::cards::{content_cards, playlist_cards};
use crate::definitions::zone::WeekHour;
use crate::dto::{DayOut, OrgRangeQuery, SumOut, TopContentOut, TopPlaylistOut, days};
use crate::series::VisibleRange;
use crate::totals::Sum;
use crate::{Analytics, Error};

/// Watch time of an hour of the week.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekHourOut {
    /// 0 is Monday.
    weekday: i8,
    /// Hour of the clock, 0 to 23.
    hour: i8,
    watch_time_ms: i64,
}

/// Numbers of an organization in a range.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OverviewOut {
    /// IANA name of the time zone in which days and hours are cut: the organization's.
    time_zone: String,
    /// Start of the first day that is cut in this time zone, if the range has earlier ones: they were cut in another.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone_since: Option<String>,
    /// Start of what the plan shows, if the range began earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    limited_from: Option<String>,
    views: i64,
    watch_time_ms: i64,
    /// The part of the watch time that was reported more than ten minutes late.
    late_watch_time_ms: i64,
    /// What the plan shows of the range of the same length before.
    previous: SumOut,
    /// Start of what the plan shows, if the range before began earlier: the two are no comparison then.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_limited_from: Option<String>,
    /// All days of the range, including empty ones.
    days: Vec<DayOut>,
    /// The most viewed content items, at most ten.
    top_content: Vec<TopContentOut>,
    /// The most viewed playlists, at most ten.
    top_playlists: Vec<TopPlaylistOut>,
    /// The hours of the week in which something was watched.
    hours: Vec<WeekHourOut>,
}

/// Get an organization's numbers in a range
#[utoipa::path(get, path = "/analytics/overview", tag = "analytics", params(OrgRangeQuery), responses(
    (status = 200, body = OverviewOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_overview(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Query(query): Query<OrgRangeQuery>,
) -> ApiResult<Json<OverviewOut>> {
    let scope = analytics.deps.orgs.enter::<ViewAnalytics>(&bearer, query.org()?).await?;
    let range = query.range()?;
    let (reports, org) = (&analytics.reports, scope.org());
    let (zone, VisibleRange { range, previous, limited_from, previous_limited_from }) =
        analytics.shown(org, range).await?;
    let ((watched, previous), week, content, playlists) = futures::try_join!(
        reports.values_with_previous(org, org.uid(), (range, previous), &zone),
        reports.week(org, range, &zone),
        reports.top_content(org, range),
        reports.top_playlists(org, range),
    )
    .map_err(Error::from)?;
    let (top_content, top_playlists) = futures::try_join!(
        content_cards(&analytics, &scope, content),
        playlist_cards(&analytics, &scope, playlists),
    )?;
    let total = Sum::of(watched.iter().map(|(_, sum)| *sum));
    Ok(Json(OverviewOut {
        time_zone: zone.name().to_owned(),
        time_zone_since: zone.border_in(range).map(iso),
        limited_from: limited_from.map(iso),
        views: total.views,
        watch_time_ms: total.watch_ms,
        late_watch_time_ms: total.late_ms,
        previous: previous.into(),
        previous_limited_from: previous_limited_from.map(iso),
        days: days(range, &zone, &watched),
        top_content,
        top_playlists,
        hours: week.into_iter().map(cell).collect(),
    }))
}

fn cell((WeekHour { weekday, hour }, watch_time_ms): (WeekHour, i64)) -> WeekHourOut {
    WeekHourOut { weekday, hour, watch_time_ms }
}
