//! `GET /organizations/{id}/users/export`: the people of an organisation as a CSV file.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use httpkit::{ApiResult, Path, Query, csv_file};
use identity::{Bearer, ProfileOut};
use kernel::{DAY, Keyset, OrgId, PersonId, Problem, Timestamp, Uid, calling_code, iso};
use serde::Deserialize;

use crate::audit::AuditAction;
use crate::exports::ExportPermit;
use crate::model::{OrgPerson, PeopleFilter};
use crate::rights::ListUsers;
use crate::{Error, Orgs, store};

/// People read at once.
const PAGE: u64 = 500;

const HEADER: [&str; 13] = [
    "User type",
    "Time joined (if staff)",
    "Staff role",
    "Time (consent)",
    "First Name",
    "Last Name",
    "Display Name",
    "Email",
    "Phone Number",
    "Country Code",
    "Company",
    "Job Title",
    "Business Area",
];

/// Which people to export.
#[derive(Clone, Copy, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFilter {
    /// All people.
    #[default]
    All,
    /// People who joined or consented in the last seven days.
    New,
    /// People who consent.
    Gdpr,
}

impl ExportFilter {
    fn includes(self, person: &OrgPerson, now: Timestamp) -> bool {
        let is_new = |at: Timestamp| at >= now - 7 * DAY;
        match self {
            Self::All => true,
            Self::New => {
                // Withdrawing and leaving are answers, too.
                let consented = person.answer.filter(|answer| answer.given);
                person.joined_at.is_some_and(is_new) || consented.is_some_and(|answer| is_new(answer.at))
            }
            Self::Gdpr => person.answer.is_some_and(|answer| answer.given),
        }
    }
}

/// Filter of the export.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// `all`, `new` (joined or consented in the last seven days) or `gdpr` (consenting); default `all`.
    #[serde(default)]
    #[param(inline)]
    filter: ExportFilter,
}

/// Export an organization's people
///
/// Returns a CSV file (UTF-8, comma, CRLF) with a row per person, newest person first. People with neither a
/// membership nor consent have only a display name and times. The export is recorded in the audit log. While
/// one is under way on the same server, another by the same person fails with 409.
#[utoipa::path(get, path = "/organizations/{id}/users/export", tag = "orgs",
    params(("id" = Uuid, Path), ExportQuery), responses(
    (status = 200, body = String, content_type = "text/csv"), (status = 400, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem),
))]
pub async fn export_users(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Query(query): Query<ExportQuery>,
) -> ApiResult<Response> {
    let (scope, permit) = orgs.begin_export::<ListUsers>(&bearer, id, AuditAction::PeopleExported).await?;
    let export = Export {
        now: orgs.ambient.now(),
        bearer,
        org: scope.org(),
        filter: query.filter,
        after: None,
        orgs,
        _permit: permit,
    };
    let pages = futures::stream::try_unfold(export, async |mut export| {
        Ok::<_, Error>(export.next_page().await?.map(|page| (page, export)))
    });
    Ok(csv_file("vitrine-users.csv", HEADER, pages))
}

/// An export under way. No transaction is held between pages.
struct Export {
    orgs: Orgs,
    bearer: Bearer,
    org: OrgId,
    filter: ExportFilter,
    now: Timestamp,
    after: Option<Uid>,
    _permit: ExportPermit,
}

impl Export {
    /// Returns the rows of the next page, or `None` after the last one.
    async fn next_page(&mut self) -> Result<Option<Vec<[String; 13]>>, Error> {
        // A slow download ends when the right is gone.
        self.orgs.enter::<ListUsers>(&self.bearer, self.org).await?;
        let conn = self.orgs.db.read();
        let keyset = Keyset { start_after: self.after, limit: PAGE };
        let people = store::people::page(conn, self.org, &PeopleFilter::default(), keyset).await?;
        let Some(last) = people.last() else { return Ok(None) };
        self.after = Some(last.person.into());
        let included: Vec<&OrgPerson> =
            people.iter().filter(|person| self.filter.includes(person, self.now)).collect();
        let ids: Vec<PersonId> = included.iter().map(|person| person.person).collect();
        let profiles = self.orgs.identity.people(conn, &ids).await?;
        let mut profiles: HashMap<PersonId, ProfileOut> =
            profiles.iter().map(|person| (person.uid, self.orgs.identity.profile(person))).collect();
        let rows = included
            .into_iter()
            .filter_map(|person| profiles.remove(&person.person).map(|profile| row(person, profile)));
        Ok(Some(rows.collect()))
    }
}

fn row(person: &OrgPerson, profile: ProfileOut) -> [String; 13] {
    let profile = if person.shows_profile() { profile } else { profile.name_only() };
    let is_staff = person.role.is_staff();
    let country_code = calling_code(&profile.phone_number).unwrap_or_default();
    [
        if is_staff { "Staff" } else { "User" }.to_owned(),
        person.joined_at.filter(|_| is_staff).map(iso).unwrap_or_default(),
        if is_staff { person.role.label().to_owned() } else { String::new() },
        person.answer.map(|answer| iso(answer.at)).unwrap_or_default(),
        profile.first_name,
        profile.last_name,
        profile.display_name,
        profile.email,
        profile.phone_number,
        country_code,
        profile.company,
        profile.job_title,
        profile.business_area,
    ]
}
