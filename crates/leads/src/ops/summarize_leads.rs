//! `GET /analytics/leads/summary`: new leads, and the hottest ones.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Query, parse_org_id};
use identity::Bearer;
use kernel::{Keyset, OrgId, PersonId, Problem, Timestamp};
use orgs::calendar::{DayRange, DayValueOut};
use orgs::rights::ViewAnalytics;
use serde::{Deserialize, Serialize};

use crate::dto::LeadOut;
use crate::model::Temperature;
use crate::store::list::{Filter, Sort};
use crate::{Error, Leads, store};

/// Hot leads in the summary.
const HOT_MAX: u64 = 5;

/// Organisation and range.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LeadsSummaryQuery {
    /// Id of the organization.
    org_id: Option<String>,
    /// Start of the range, ISO 8601, inclusive.
    start_time: Option<String>,
    /// End of the range, ISO 8601, exclusive; at most 366 days after the start.
    end_time: Option<String>,
}

/// A lead with the person's name.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedLeadOut {
    #[serde(flatten)]
    lead: LeadOut,
    /// Name of the person; may be empty.
    display_name: String,
}

/// New leads of a range, and the hottest leads of now.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeadsSummaryOut {
    /// IANA name of the time zone of the days.
    time_zone: String,
    /// People who became leads in the range, and still are.
    new_leads: i64,
    /// The same number for the range of equal length before.
    previous: i64,
    /// New leads by day.
    days: Vec<DayValueOut>,
    /// Hot leads, highest score first, at most 5.
    hot: Vec<NamedLeadOut>,
}

/// Summarize an organization's leads
#[utoipa::path(get, path = "/analytics/leads/summary", tag = "leads", params(LeadsSummaryQuery), responses(
    (status = 200, body = LeadsSummaryOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn summarize_leads(
    State(leads): State<Leads>,
    bearer: Bearer,
    Query(query): Query<LeadsSummaryQuery>,
) -> ApiResult<Json<LeadsSummaryOut>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = leads.orgs.enter::<ViewAnalytics>(&bearer, org).await?;
    let range = DayRange::parse(query.start_time.as_deref(), query.end_time.as_deref())?;
    Ok(Json(summary(&leads, scope.org(), range).await?))
}

async fn summary(leads: &Leads, org: OrgId, range: DayRange) -> Result<LeadsSummaryOut, Error> {
    let conn = leads.db.read();
    let time_zone = leads.orgs.time_zone(conn, org).await?;
    let created = store::list::created(conn, org, range).await?;
    let before = store::list::created(conn, org, range.previous()).await?;
    let sum = |values: &[(Timestamp, i64)]| values.iter().map(|(_, count)| count).sum();
    Ok(LeadsSummaryOut {
        new_leads: sum(&created),
        previous: sum(&before),
        days: range.by_day(&time_zone, &created),
        time_zone,
        hot: hottest(leads, org).await?,
    })
}

async fn hottest(leads: &Leads, org: OrgId) -> Result<Vec<NamedLeadOut>, Error> {
    let filter = Filter { temperature: Some(Temperature::Hot), search: None, sort: Sort::Score };
    let conn = leads.db.read();
    let keyset = Keyset { start_after: None, limit: HOT_MAX };
    let hot = store::list::page(conn, org, &filter, keyset).await?;
    let people: Vec<PersonId> = hot.iter().map(|lead| lead.person).collect();
    let people = leads.orgs.identity().people(conn, &people).await?;
    let names: HashMap<PersonId, String> =
        people.into_iter().map(|person| (person.uid, person.display_name.unwrap_or_default())).collect();
    Ok(hot
        .into_iter()
        .map(|lead| NamedLeadOut {
            display_name: names.get(&lead.person).cloned().unwrap_or_default(),
            lead: lead.into(),
        })
        .collect())
}
