//! `GET /analytics/leads`: the leads of an organisation.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, PageQuery, Query, parse_org_id, search_text};
use identity::Bearer;
use kernel::Problem;
use orgs::rights::ViewAnalytics;
use serde::{Deserialize, Serialize};

use crate::dto::LeadOut;
use crate::model::Temperature;
use crate::store::list::{Filter, Sort};
use crate::{Leads, store};

/// Filter and page of the list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LeadsQuery {
    /// Id of the organization.
    org_id: Option<String>,
    /// `userId` of the last row of the previous page.
    start_after: Option<String>,
    /// Page size, 1 to 100; default 20.
    #[param(value_type = Option<u32>)]
    limit: Option<String>,
    /// Only leads with this temperature: `hot`, `warm` or `cold`.
    #[param(inline)]
    temperature: Option<Temperature>,
    /// Beginnings of words of a name, the email address or the company; all of them must match.
    search: Option<String>,
    /// Order: `score` (default), `lastSeen` or `newest`; always the highest or latest first.
    #[serde(default)]
    #[param(inline)]
    sort: Sort,
}

/// Number of leads by temperature, regardless of search and filter.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LeadCountsOut {
    total: i64,
    hot: i64,
    warm: i64,
    cold: i64,
}

/// A page of leads.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LeadsOut {
    data: Vec<LeadOut>,
    counts: LeadCountsOut,
}

/// List an organization's leads
///
/// Returns app users with consent and at least one visit.
#[utoipa::path(get, path = "/analytics/leads", tag = "leads", params(LeadsQuery), responses(
    (status = 200, body = LeadsOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_leads(
    State(leads): State<Leads>,
    bearer: Bearer,
    Query(query): Query<LeadsQuery>,
) -> ApiResult<Json<LeadsOut>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = leads.orgs.enter::<ViewAnalytics>(&bearer, org).await?;
    let keyset = PageQuery { start_after: query.start_after, limit: query.limit }.keyset()?;
    let LeadsQuery { temperature, sort, .. } = query;
    let filter = Filter { temperature, search: search_text(query.search)?, sort };
    let rows = store::list::page(leads.db.read(), scope.org(), &filter, keyset).await?;
    let counts = store::tally::counts(leads.db.read(), scope.org()).await?;
    let count = |temperature| counts.get(&temperature).copied().unwrap_or_default();
    Ok(Json(LeadsOut {
        data: rows.into_iter().map(LeadOut::from).collect(),
        counts: LeadCountsOut {
            total: counts.values().sum(),
            hot: count(Temperature::Hot),
            warm: count(Temperature::Warm),
            cold: count(Temperature::Cold),
        },
    }))
}
