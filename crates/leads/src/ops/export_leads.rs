//! `GET /analytics/leads/export`: the leads of an organisation as a CSV file.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use httpkit::{ApiResult, Query, csv_file, parse_org_id};
use identity::{Bearer, Person};
use kernel::{OrgId, PersonId, Problem, country_name};
use orgs::rights::ViewAnalytics;
use orgs::{AuditAction, ExportPermit};
use sea_orm::ActiveEnum as _;
use serde::Deserialize;

use crate::model::Lead;
use crate::{Error, Leads, store};

/// Leads read at once.
const PAGE: usize = 500;

const HEADER: [&str; 11] = [
    "User Id",
    "Temperature",
    "First Name",
    "Last Name",
    "Display Name",
    "Country",
    "Email",
    "Phone Number",
    "Company",
    "Job Title",
    "Business Area",
];

/// The organisation whose leads to export.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// Id of the organization.
    org_id: Option<String>,
}

/// Export an organization's leads
///
/// Returns a CSV file (UTF-8, comma, CRLF) with a row per lead, highest score first. The export is recorded in the
/// audit log. While one is under way on the same server, another by the same person fails with 409.
#[utoipa::path(get, path = "/analytics/leads/export", tag = "leads", params(ExportQuery), responses(
    (status = 200, body = String, content_type = "text/csv"), (status = 400, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem),
))]
pub async fn export_leads(
    State(leads): State<Leads>,
    bearer: Bearer,
    Query(query): Query<ExportQuery>,
) -> ApiResult<Response> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let (scope, permit) =
        leads.orgs.begin_export::<ViewAnalytics>(&bearer, org, AuditAction::LeadsExported).await?;
    // Scores change during the export; the order of its beginning makes each lead one row.
    let people = store::list::people(leads.db.read(), scope.org()).await.map_err(Error::from)?;
    let export = Export { leads, bearer, org: scope.org(), people: people.into_iter(), _permit: permit };
    let pages = futures::stream::try_unfold(export, async |mut export| {
        Ok::<_, Error>(export.next_page().await?.map(|page| (page, export)))
    });
    Ok(csv_file("vitrine-leads.csv", HEADER, pages))
}

/// An export under way. No transaction is held between pages.
struct Export {
    leads: Leads,
    bearer: Bearer,
    org: OrgId,
    people: std::vec::IntoIter<PersonId>,
    _permit: ExportPermit,
}

impl Export {
    /// Returns the rows of the next page, or `None` after the last one. People who are no longer leads are left out.
    async fn next_page(&mut self) -> Result<Option<Vec<[String; 11]>>, Error> {
        let people: Vec<PersonId> = self.people.by_ref().take(PAGE).collect();
        if people.is_empty() {
            return Ok(None);
        }
        // A slow download ends when the right is gone.
        self.leads.orgs.enter::<ViewAnalytics>(&self.bearer, self.org).await?;
        let conn = self.leads.db.read();
        let leads = store::list::current(conn, self.org, &people).await?;
        let profiles = self.leads.orgs.identity().people(conn, &people).await?;
        let profiles: HashMap<PersonId, Person> =
            profiles.into_iter().map(|person| (person.uid, person)).collect();
        let row = |person| Some(self.row(leads.get(person)?, profiles.get(person)?));
        Ok(Some(people.iter().filter_map(row).collect()))
    }

    fn row(&self, lead: &Lead, person: &Person) -> [String; 11] {
        let profile = self.leads.orgs.identity().profile(person);
        [
            lead.person.to_string(),
            lead.temperature.to_value(),
            profile.first_name,
            profile.last_name,
            profile.display_name,
            country_name(&profile.country).unwrap_or_default().to_owned(),
            profile.email,
            profile.phone_number,
            profile.company,
            profile.job_title,
            profile.business_area,
        ]
    }
}
