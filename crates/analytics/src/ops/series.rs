//! `GET /analytics/watch_time`, `/views` and `/visits`: values over time (S-39, S-40, G-100, R-15).

use axum::Json;
use axum::extract::State;
use httpkit::{Query, Reply, parse_uid};
use identity::Bearer;
use kernel::{Problem, Uid};
use orgs::rights::ViewAnalytics;
use serde::Deserialize;

use crate::series::{Range, Unit, fill, zone};
use crate::store::people::Measure;
use crate::wire::SeriesOut;
use crate::{Analytics, Error, store};

/// Whose values, and over which time.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SeriesQuery {
    /// The organisation.
    org_id: Option<String>,
    /// The person; may be left out for watch time alone.
    user_id: Option<String>,
    /// ISO 8601; included.
    start_time: Option<String>,
    /// ISO 8601; not included. At most 366 days later.
    end_time: Option<String>,
    /// days (default), weeks, months or years.
    #[serde(default)]
    #[param(inline)]
    unit: Unit,
    /// IANA name of the time zone whose days they are (UTC).
    tz: Option<String>,
}

/// Watch time in milliseconds, of the organisation or of one person.
#[utoipa::path(get, path = "/analytics/watch_time", tag = "analytics", params(SeriesQuery), responses(
    (status = 200, body = SeriesOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_watch_time(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Query(query): Query<SeriesQuery>,
) -> Reply<Json<SeriesOut>> {
    Ok(Json(read(&analytics, &bearer, query, Measure::WatchTime).await?))
}

/// Counted views of one person.
#[utoipa::path(get, path = "/analytics/views", tag = "analytics", params(SeriesQuery), responses(
    (status = 200, body = SeriesOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_views(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Query(query): Query<SeriesQuery>,
) -> Reply<Json<SeriesOut>> {
    Ok(Json(read(&analytics, &bearer, query, Measure::Views).await?))
}

/// Visits of one person, shown as sign-ins.
#[utoipa::path(get, path = "/analytics/visits", tag = "analytics", params(SeriesQuery), responses(
    (status = 200, body = SeriesOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_visits(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Query(query): Query<SeriesQuery>,
) -> Reply<Json<SeriesOut>> {
    Ok(Json(read(&analytics, &bearer, query, Measure::Visits).await?))
}

async fn read(
    analytics: &Analytics,
    bearer: &Bearer,
    query: SeriesQuery,
    measure: Measure,
) -> Result<SeriesOut, Error> {
    let org = parse_uid("orgId", query.org_id.as_deref().filter(|org| !org.is_empty()).ok_or(Error::NoOrg)?)?;
    let scope = analytics.orgs.enter::<ViewAnalytics>(bearer, org).await?;
    let person: Option<Uid> = query.user_id.as_deref().map(|text| parse_uid("userId", text)).transpose()?;
    let range =
        Range::parse(["startTime", "endTime"], query.start_time.as_deref(), query.end_time.as_deref())?;
    let zone = zone(query.tz.as_deref())?;
    let hours = match (person, measure) {
        (None, Measure::WatchTime) => store::reports::hours(analytics.db.read(), scope.org(), range).await?,
        (None, _) => return Err(Error::NoPerson),
        (Some(person), _) => match analytics.consenting(scope.org(), person).await? {
            Some(who) => store::people::hours(analytics.db.read(), who, measure, range).await?,
            None => Vec::new(),
        },
    };
    Ok(fill(range, query.unit, &zone, &hours).into())
}
