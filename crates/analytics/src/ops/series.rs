//! `GET /analytics/watch_time`, `/views` and `/visits`: time series.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Query, parse_org_id, parse_uid};
use identity::Bearer;
use kernel::{PersonId, Problem};
use orgs::rights::ViewAnalytics;
use serde::Deserialize;

use crate::dto::{SeriesOut, range_of};
use crate::series::{Unit, fill};
use crate::store::people::Measure;
use crate::{Analytics, Error};

/// Subject, range and buckets of a series.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SeriesQuery {
    /// Id of the organization.
    org_id: Option<String>,
    /// Id of the person; optional for watch time only.
    user_id: Option<String>,
    /// Start of the range, ISO 8601, inclusive.
    start_time: Option<String>,
    /// End of the range, ISO 8601, exclusive; at most 366 days and an hour after the start.
    end_time: Option<String>,
    /// Bucket length: `days` (default), `weeks`, `months` or `years`.
    #[serde(default)]
    #[param(inline)]
    unit: Unit,
}

/// Get watch time as a time series
///
/// In milliseconds, of the organization or of one person.
#[utoipa::path(get, path = "/analytics/watch_time", tag = "analytics", params(SeriesQuery), responses(
    (status = 200, body = SeriesOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_watch_time(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Query(query): Query<SeriesQuery>,
) -> ApiResult<Json<SeriesOut>> {
    Ok(Json(read(&analytics, &bearer, query, Measure::WatchTime).await?))
}

/// Get a person's views as a time series
#[utoipa::path(get, path = "/analytics/views", tag = "analytics", params(SeriesQuery), responses(
    (status = 200, body = SeriesOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_views(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Query(query): Query<SeriesQuery>,
) -> ApiResult<Json<SeriesOut>> {
    Ok(Json(read(&analytics, &bearer, query, Measure::Views).await?))
}

/// Get a person's visits as a time series
///
/// The portal shows visits as sign-ins.
#[utoipa::path(get, path = "/analytics/visits", tag = "analytics", params(SeriesQuery), responses(
    (status = 200, body = SeriesOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_visits(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Query(query): Query<SeriesQuery>,
) -> ApiResult<Json<SeriesOut>> {
    Ok(Json(read(&analytics, &bearer, query, Measure::Visits).await?))
}

async fn read(
    analytics: &Analytics,
    bearer: &Bearer,
    query: SeriesQuery,
    measure: Measure,
) -> Result<SeriesOut, Error> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = analytics.deps.orgs.enter::<ViewAnalytics>(bearer, org).await?;
    let person: Option<PersonId> =
        query.user_id.as_deref().map(|text| parse_uid("userId", text)).transpose()?;
    let range = range_of(query.start_time.as_deref(), query.end_time.as_deref())?;
    let (zone, shown) = analytics.shown(scope.org(), range).await?;
    let values = match (person, measure) {
        (None, Measure::WatchTime) => {
            let org = scope.org();
            let values = analytics.reports.values(org, org.uid(), shown.range, &zone).await?;
            values.into_iter().map(|(begin, sum)| (begin, sum.watch_ms)).collect()
        }
        (None, _) => return Err(Error::NoPerson),
        (Some(person), _) => match analytics.consenting(scope.org(), person).await? {
            Some(who) => analytics.reports.hours_of_person(who, measure, shown.range).await?,
            None => Vec::new(),
        },
    };
    Ok(SeriesOut::of(fill(shown.range, query.unit, &zone, &values), &zone, shown.range, shown.limited_from))
}
