//! `GET /analytics/playlists/{id}`: the audience of a playlist.

use axum::extract::State;
use httpkit::{ApiResult, LongJson, Path, Query};
use identity::Bearer;
use kernel::{ContentId, PlaylistId, Problem, Uuid, iso};
use orgs::rights::ViewAnalytics;
use serde::Serialize;

use crate::cards::content_cards;
use crate::dto::{CountryOut, DayOut, DeviceOut, RangeQuery, SumOut, TopContentOut, days};
use crate::series::VisibleRange;
use crate::totals::Sum;
use crate::{Analytics, Error};

/// A content item of a playlist, with its numbers there.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistContentOut {
    #[serde(flatten)]
    item: TopContentOut,
    /// Share of views that reached the end, 0 to 1; null without views.
    finish_rate: Option<f64>,
}

/// Numbers of a playlist in a range.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistAnalyticsOut {
    /// IANA name of the time zone in which days are cut: the organization's.
    time_zone: String,
    /// Start of the first day that is cut in this time zone, if the range has earlier ones: they were cut in another.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone_since: Option<String>,
    /// Start of what the plan shows, if the range began earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    limited_from: Option<String>,
    id: Uuid,
    title: String,
    /// Absolute URL of the thumbnail, or empty.
    preview_url: String,
    views: i64,
    /// Different people: those who consented, and the others once per day.
    uniques: usize,
    watch_time_ms: i64,
    /// Share of views that reached the end, 0 to 1; null without views.
    finish_rate: Option<f64>,
    /// What the plan shows of the range of the same length before.
    previous: SumOut,
    /// Start of what the plan shows, if the range before began earlier: the two are no comparison then.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_limited_from: Option<String>,
    /// All days of the range, including empty ones.
    days: Vec<DayOut>,
    /// Kinds of devices with at least three people.
    devices: Vec<DeviceOut>,
    /// Countries with at least three people.
    countries: Vec<CountryOut>,
    /// What was watched in the playlist, most viewed first.
    content: Vec<PlaylistContentOut>,
}

/// Get a playlist's numbers in a range
#[utoipa::path(get, path = "/analytics/playlists/{id}", tag = "analytics",
    params(("id" = Uuid, Path), RangeQuery), responses(
    (status = 200, body = PlaylistAnalyticsOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_playlist_analytics(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Path(id): Path<PlaylistId>,
    Query(query): Query<RangeQuery>,
) -> ApiResult<LongJson<PlaylistAnalyticsOut>> {
    let deps = &analytics.deps;
    let (conn, reports) = (deps.db.read(), &analytics.reports);
    let scope = deps.orgs.enter_of::<ViewAnalytics>(&bearer, deps.playlists.owner(id), "Playlist").await?;
    let range = query.parse()?;
    let org = scope.org();
    let (cards, (zone, shown)) = futures::try_join!(
        async { Ok(deps.playlists.cards(conn, &scope, &[id]).await?) },
        analytics.shown(org, range),
    )?;
    let VisibleRange { range, previous, limited_from, previous_limited_from } = shown;
    let card = cards.into_iter().next().ok_or(Error::PlaylistNotFound)?;
    let ((watched, previous), audience, items) = futures::try_join!(
        reports.values_with_previous(org, id.into(), (range, previous), &zone),
        reports.audience_of_playlist(org, id, range),
        reports.content_of_playlist(org, id, range),
    )
    .map_err(Error::from)?;
    let total = Sum::of(watched.iter().map(|(_, sum)| *sum));
    let content = content_cards(&analytics, &scope, items).await?.into_iter();
    Ok(LongJson(PlaylistAnalyticsOut {
        time_zone: zone.name().to_owned(),
        time_zone_since: zone.border_in(range).map(iso),
        limited_from: limited_from.map(iso),
        id: card.uid.into(),
        title: card.title,
        preview_url: card.preview_url,
        views: total.views,
        uniques: audience.uniques(),
        watch_time_ms: total.watch_ms,
        finish_rate: audience.total.rate(),
        previous: previous.into(),
        previous_limited_from: previous_limited_from.map(iso),
        days: days(range, &zone, &watched),
        devices: audience.devices(),
        countries: audience.countries(),
        content: content
            .map(|item| PlaylistContentOut {
                finish_rate: audience.items.get(&ContentId::from(item.id)).and_then(|item| item.rate()),
                item,
            })
            .collect(),
    }))
}
