//! `GET /analytics/users/{userId}`: what one person watches.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path, Query, parse_org_id};
use identity::Bearer;
use kernel::{PersonId, Problem, Timestamp, Uuid, iso};
use orgs::rights::ViewAnalytics;
use serde::{Deserialize, Serialize};

use crate::Analytics;
use crate::dto::{ViewedOut, WatchedOut};
use crate::person_pack::{TotalsById, Watched};
use crate::series::{Range, VisibleRange};
use crate::store::people::top;

/// Organisation and time range.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UserAnalyticsQuery {
    /// Id of the organization.
    org_id: Option<String>,
    /// Start of the range, ISO 8601, inclusive.
    start_date: Option<String>,
    /// End of the range, ISO 8601, exclusive; at most 366 days and an hour after the start.
    end_date: Option<String>,
}

/// What one person watches. Each list is in descending order and has at most ten entries.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserAnalyticsOut {
    /// Start of what the plan shows, if the range began earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    limited_from: Option<String>,
    /// Total watch time in milliseconds.
    total: i64,
    most_viewed_content: Vec<ViewedOut>,
    longest_watched_content: Vec<WatchedOut>,
    most_viewed_playlists: Vec<ViewedOut>,
    longest_watched_playlists: Vec<WatchedOut>,
}

impl UserAnalyticsOut {
    fn of(watched: &Watched, limited_from: Option<Timestamp>) -> Self {
        Self {
            limited_from: limited_from.map(iso),
            total: watched.total_ms,
            most_viewed_content: viewed(&watched.content),
            longest_watched_content: longest(&watched.content),
            most_viewed_playlists: viewed(&watched.playlists),
            longest_watched_playlists: longest(&watched.playlists),
        }
    }
}

fn viewed<Id: Copy + Ord + Into<Uuid>>(list: &TotalsById<Id>) -> Vec<ViewedOut> {
    top(list, |totals| totals.views).into_iter().map(Into::into).collect()
}

fn longest<Id: Copy + Ord + Into<Uuid>>(list: &TotalsById<Id>) -> Vec<WatchedOut> {
    top(list, |totals| totals.watch_ms).into_iter().map(Into::into).collect()
}

/// Get a person's analytics
///
/// Empty if the person has not consented.
#[utoipa::path(get, path = "/analytics/users/{userId}", tag = "analytics",
    params(("userId" = Uuid, Path), UserAnalyticsQuery), responses(
    (status = 200, body = UserAnalyticsOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_user_analytics(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Path(user_id): Path<PersonId>,
    Query(query): Query<UserAnalyticsQuery>,
) -> ApiResult<Json<UserAnalyticsOut>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = analytics.deps.orgs.enter::<ViewAnalytics>(&bearer, org).await?;
    let range =
        Range::parse(["startDate", "endDate"], query.start_date.as_deref(), query.end_date.as_deref())?;
    let (_, VisibleRange { range, limited_from, .. }) = analytics.shown(scope.org(), range).await?;
    let watched = match analytics.consenting(scope.org(), user_id).await? {
        Some(who) => {
            let now = analytics.deps.ambient.now();
            analytics.reports.watched_by(who, range, now).await?
        }
        None => Watched::default(),
    };
    Ok(Json(UserAnalyticsOut::of(&watched, limited_from)))
}
