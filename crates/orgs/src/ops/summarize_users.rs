//! `GET /organizations/{id}/users/summary`: how many people are new.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path, Query};
use identity::Bearer;
use kernel::{OrgId, Problem};
use serde::{Deserialize, Serialize};

use crate::calendar::{DayRange, DayValueOut};
use crate::rights::ListUsers;
use crate::{Error, Orgs, store};

/// Range of the summary.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UsersSummaryQuery {
    /// Start of the range, ISO 8601, inclusive.
    start_time: Option<String>,
    /// End of the range, ISO 8601, exclusive; at most 366 days after the start.
    end_time: Option<String>,
}

/// New people of an organization.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsersSummaryOut {
    /// IANA name of the time zone of the days.
    time_zone: String,
    /// Members who joined in the range.
    new_people: i64,
    /// The same number for the range of equal length before.
    previous: i64,
    /// New people by day.
    days: Vec<DayValueOut>,
}

/// Summarize an organization's new people
///
/// Counts current members, staff and app users, by the time at which they joined.
#[utoipa::path(get, path = "/organizations/{id}/users/summary", tag = "orgs",
    params(("id" = Uuid, Path), UsersSummaryQuery), responses(
    (status = 200, body = UsersSummaryOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn summarize_users(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Query(query): Query<UsersSummaryQuery>,
) -> ApiResult<Json<UsersSummaryOut>> {
    let scope = orgs.enter::<ListUsers>(&bearer, id).await?;
    let range = DayRange::parse(query.start_time.as_deref(), query.end_time.as_deref())?;
    Ok(Json(summary(&orgs, scope.org(), range).await?))
}

async fn summary(orgs: &Orgs, org: OrgId, range: DayRange) -> Result<UsersSummaryOut, Error> {
    let conn = orgs.db.read();
    let time_zone = orgs.time_zone(conn, org).await?;
    let joined = store::people::joined(conn, org, range).await?;
    let before = store::people::joined(conn, org, range.previous()).await?;
    let sum = |values: &[(kernel::Timestamp, i64)]| values.iter().map(|(_, count)| count).sum();
    Ok(UsersSummaryOut {
        new_people: sum(&joined),
        previous: sum(&before),
        days: range.by_day(&time_zone, &joined),
        time_zone,
    })
}
