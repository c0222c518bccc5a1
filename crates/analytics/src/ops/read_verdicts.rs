//! `GET /analytics/verdicts`: why views were not counted.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Query};
use identity::Bearer;
use kernel::{Problem, iso};
use orgs::rights::ViewAnalytics;
use serde::Serialize;

use crate::definitions::view::Verdict;
use crate::dto::OrgRangeQuery;
use crate::series::VisibleRange;
use crate::totals::{Sum, VerdictSum};
use crate::{Analytics, Error};

/// Why a view was not counted.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum UncountedReason {
    /// Less was watched than a view needs.
    TooShort,
    /// The same person's view of the same item counted within an hour.
    Duplicate,
    /// By staff of the organization.
    Staff,
    /// By a known bot.
    Bot,
    /// Of a draft.
    Draft,
    /// Watch time over the limits against forged reports; no views.
    Cap,
}

/// Views that were not counted for one reason.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UncountedOut {
    reason: UncountedReason,
    views: i64,
    /// Watch time that was not counted; only of `cap`.
    #[serde(skip_serializing_if = "Option::is_none")]
    watch_time_ms: Option<i64>,
}

/// Counted views, and others by reason.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerdictsOut {
    /// IANA name of the time zone in which days are cut: the organization's.
    time_zone: String,
    /// Start of the first day that is cut in this time zone, if the range has earlier ones: they were cut in another.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone_since: Option<String>,
    /// Start of what the plan shows, if the range began earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    limited_from: Option<String>,
    counted: i64,
    not_counted: Vec<UncountedOut>,
}

/// Get why views were not counted
#[utoipa::path(get, path = "/analytics/verdicts", tag = "analytics", params(OrgRangeQuery), responses(
    (status = 200, body = VerdictsOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_verdicts(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Query(query): Query<OrgRangeQuery>,
) -> ApiResult<Json<VerdictsOut>> {
    let scope = analytics.deps.orgs.enter::<ViewAnalytics>(&bearer, query.org()?).await?;
    let range = query.range()?;
    let (reports, org) = (&analytics.reports, scope.org());
    let (zone, VisibleRange { range, limited_from, .. }) = analytics.shown(org, range).await?;
    let watched = reports.values(org, org.uid(), range, &zone).await.map_err(Error::from)?;
    let total = Sum::of(watched.into_iter().map(|(_, sum)| sum));
    let verdicts = reports.verdicts(org, range).await.map_err(Error::from)?;
    Ok(Json(VerdictsOut {
        time_zone: zone.name().to_owned(),
        time_zone_since: zone.border_in(range).map(iso),
        limited_from: limited_from.map(iso),
        counted: total.views,
        not_counted: verdicts.into_iter().filter_map(uncounted).collect(),
    }))
}

fn uncounted((verdict, sum): (Verdict, VerdictSum)) -> Option<UncountedOut> {
    let reason = match verdict {
        Verdict::Counted => return None,
        Verdict::TooShort => UncountedReason::TooShort,
        Verdict::Duplicate => UncountedReason::Duplicate,
        Verdict::Staff => UncountedReason::Staff,
        Verdict::Bot => UncountedReason::Bot,
        Verdict::Draft => UncountedReason::Draft,
        Verdict::Cap => UncountedReason::Cap,
    };
    let watch_time_ms = (verdict == Verdict::Cap).then_some(sum.watch_ms);
    (sum.views > 0 || watch_time_ms.is_some_and(|ms| ms > 0)).then_some(UncountedOut {
        reason,
        views: sum.views,
        watch_time_ms,
    })
}
