//! `GET /analytics/content/{id}`: the audience of a content item.

use axum::extract::State;
use content::ContentKind;
use httpkit::{ApiResult, LongJson, Path, Query};
use identity::Bearer;
use kernel::{ContentId, Problem, Uuid, iso};
use orgs::rights::ViewAnalytics;
use serde::Serialize;

use crate::audience_of_item::RetentionOut;
use crate::definitions::view::Subject;
use crate::dto::{CountryOut, DayOut, DeviceOut, RangeQuery, SumOut, days};
use crate::series::VisibleRange;
use crate::store::event_items::form_of;
use crate::store::raw::ItemKey;
use crate::totals::Sum;
use crate::{Analytics, Error};

/// Numbers of a content item in a range.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentAnalyticsOut {
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
    kind: ContentKind,
    /// Length of what plays, if known.
    duration_ms: Option<i64>,
    /// Number of pages of a document, if known.
    pages: Option<i64>,
    views: i64,
    /// Different people: those who consented, and the others once per day.
    uniques: usize,
    watch_time_ms: i64,
    /// Average share of the item that a view covers, 0 to 1; null without views or a known length.
    average_share: Option<f64>,
    /// Share of views that reached the end, 0 to 1; null without views.
    finish_rate: Option<f64>,
    /// What the plan shows of the range of the same length before.
    previous: SumOut,
    /// Start of what the plan shows, if the range before began earlier: the two are no comparison then.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_limited_from: Option<String>,
    /// All days of the range, including empty ones.
    days: Vec<DayOut>,
    /// Who watched each hundredth of the item; empty while its length is unknown.
    retention: Vec<RetentionOut>,
    /// Kinds of devices with at least three people.
    devices: Vec<DeviceOut>,
    /// Countries with at least three people.
    countries: Vec<CountryOut>,
}

/// Get a content item's numbers in a range
#[utoipa::path(get, path = "/analytics/content/{id}", tag = "analytics",
    params(("id" = Uuid, Path), RangeQuery), responses(
    (status = 200, body = ContentAnalyticsOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_content_analytics(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Path(id): Path<ContentId>,
    Query(query): Query<RangeQuery>,
) -> ApiResult<LongJson<ContentAnalyticsOut>> {
    let deps = &analytics.deps;
    let (conn, reports) = (deps.db.read(), &analytics.reports);
    let scope = deps.orgs.enter_of::<ViewAnalytics>(&bearer, deps.content.owner(id), "Content").await?;
    let range = query.parse()?;
    let org = scope.org();
    let key = ItemKey { org, content: id };
    let (items, months, (zone, reported)) = futures::try_join!(
        async { Ok(deps.content.visible_items(conn, &scope, None, &[id]).await?) },
        analytics.months(org),
        async { Ok(reports.zone_and_length(key).await?) },
    )?;
    let VisibleRange { range, previous, limited_from, previous_limited_from } =
        analytics.shown_in(&zone, range, months);
    let item = items.into_iter().next().ok_or(Error::ContentNotFound)?;
    let (duration_ms, pages) = (item.duration_ms.or(reported.duration_ms), item.pages.or(reported.pages));
    let subject = Subject::of(form_of(item.kind), duration_ms, pages);
    let ((watched, previous), audience) = futures::try_join!(
        reports.values_with_previous(org, id.into(), (range, previous), &zone),
        reports.audience_of_content(key, subject, range),
    )
    .map_err(Error::from)?;
    let total = Sum::of(watched.iter().map(|(_, sum)| *sum));
    Ok(LongJson(ContentAnalyticsOut {
        time_zone: zone.name().to_owned(),
        time_zone_since: zone.border_in(range).map(iso),
        limited_from: limited_from.map(iso),
        id: item.uid,
        title: item.title,
        preview_url: item.preview_url,
        kind: item.kind,
        duration_ms,
        pages,
        views: total.views,
        uniques: audience.uniques(),
        watch_time_ms: total.watch_ms,
        average_share: audience.average_share(),
        finish_rate: audience.total.rate(),
        previous: previous.into(),
        previous_limited_from: previous_limited_from.map(iso),
        days: days(range, &zone, &watched),
        retention: audience.retention(),
        devices: audience.devices(),
        countries: audience.countries(),
    }))
}
