//! What each screen must show, compared with what the server returns.

use std::fmt;

use kernel::{HOUR, MINUTE};
use serde_json::Value;

use crate::Error;
use crate::api::{Api, Session, text};
use crate::history::Filled;
use crate::organisation::{Organisation, Tenant};
use crate::people::{PASSWORD, PROMOTED};
use crate::viewing::Totals;

/// Open invitations of the first organisation, one of them expired.
const INVITATIONS: u64 = 3;
/// Rows per page of a list.
const PAGE: usize = 100;

/// What was created, for the person who ran the command.
pub struct Report {
    seed: u64,
    organisations: Vec<Summary>,
}

struct Summary {
    tenant: Tenant,
    numbers: Numbers,
    /// Leads by temperature, as the server returned them.
    temperatures: [(&'static str, u64); 3],
    /// Address and role of each staff member.
    staff: Vec<(String, &'static str)>,
}

/// What the screens of one organisation show.
struct Numbers {
    views: u64,
    watch_ms: u64,
    people: u64,
    staff: u64,
    invitations: u64,
    /// Answers to the consent notice.
    answers: u64,
    leads: u64,
    items: u64,
    playlists: u64,
    /// State of the purchase.
    billing: String,
}

impl Numbers {
    fn rows(&self) -> [(&'static str, String); 10] {
        [
            ("Home: views", self.views.to_string()),
            ("Home: watch time in ms", self.watch_ms.to_string()),
            ("Users: people", self.people.to_string()),
            ("Users: staff", self.staff.to_string()),
            ("Users: pending invitations", self.invitations.to_string()),
            ("Users: answers to the notice", self.answers.to_string()),
            ("Leads: people", self.leads.to_string()),
            ("Content: items", self.items.to_string()),
            ("Content: playlists", self.playlists.to_string()),
            ("Billing: state", self.billing.clone()),
        ]
    }
}

/// Reads the numbers and compares them.
pub async fn read(api: &Api, filled: &mut Filled, seed: u64) -> Result<Report, Error> {
    let mut differences = Vec::new();
    let mut organisations = Vec::new();
    for tenant in [Tenant::Company, Tenant::School] {
        let numbers = expected(filled, tenant);
        let staff = staff(filled.organisation(tenant));
        let (shown, temperatures) = shown(api, filled.organisation(tenant)).await?;
        for ((what, expected), (_, shown)) in numbers.rows().into_iter().zip(shown.rows()) {
            if shown != expected {
                differences.push(format!("{}, {what}: {shown} instead of {expected}", tenant.setup().name));
            }
        }
        let leads: u64 = temperatures.iter().map(|(_, count)| count).sum();
        if leads != numbers.leads {
            differences.push(format!("{}, Leads: {leads} by temperature", tenant.setup().name));
        }
        organisations.push(Summary { tenant, numbers, temperatures, staff });
    }
    if differences.is_empty() { Ok(Report { seed, organisations }) } else { Err(Error::Differs(differences)) }
}

/// Returns what the screens must show.
fn expected(filled: &mut Filled, tenant: Tenant) -> Numbers {
    let Totals { views, watch_ms, app_users, consenting } = filled.plan.totals(tenant);
    let staff = filled.organisation(tenant).staff.len();
    Numbers {
        views: views as u64,
        watch_ms: watch_ms as u64,
        people: (staff + app_users) as u64,
        staff: staff as u64,
        invitations: if tenant == Tenant::Company { INVITATIONS } else { 0 },
        answers: app_users as u64,
        leads: consenting as u64,
        items: filled.catalog.item_count(tenant) as u64,
        playlists: filled.catalog.playlists_of(tenant).count() as u64,
        billing: if tenant == Tenant::Company { "active" } else { "pastDue" }.to_owned(),
    }
}

/// Returns what the screens show, and the number of leads by temperature.
async fn shown(
    api: &Api,
    organisation: &mut Organisation,
) -> Result<(Numbers, [(&'static str, u64); 3]), Error> {
    let id = organisation.id.clone();
    let by = organisation.founder();
    let home = api.get(by, &format!("/v1/organizations/{id}/dashboard")).await?;
    let users = api.get(by, &format!("/v1/organizations/{id}/users?limit=1")).await?;
    let leads = api.get(by, &format!("/v1/analytics/leads?orgId={id}&limit=1")).await?;
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let numbers = Numbers {
        views: number(&home["totalStats"]["views"]),
        watch_ms: number(&home["totalStats"]["watchTimeMs"]),
        people: number(&users["total"]),
        staff: rows(api, by, &format!("/v1/organizations/{id}/users/staff?limit={PAGE}")).await?,
        invitations: rows(api, by, &format!("/v1/organizations/{id}/invites?limit={PAGE}")).await?,
        answers: rows(api, by, &format!("/v1/organizations/{id}/users/consent?limit={PAGE}")).await?,
        leads: number(&leads["counts"]["total"]),
        items: rows(api, by, &format!("/v1/content?orgId={id}&limit={PAGE}")).await?,
        playlists: rows(api, by, &format!("/v1/playlists?orgId={id}&limit={PAGE}")).await?,
        billing: standing(api, by, &id).await?,
    };
    Ok((numbers, ["hot", "warm", "cold"].map(|name| (name, number(&leads["counts"][name])))))
}

/// Returns the address and the role of each staff member.
fn staff(organisation: &Organisation) -> Vec<(String, &'static str)> {
    let setup = organisation.tenant.setup();
    let invited = setup.staff.iter().take(organisation.staff.len()).enumerate();
    invited
        .map(|(index, (person, role))| {
            let is_promoted = organisation.tenant == Tenant::Company && index == PROMOTED;
            (person.email(setup.domain), if is_promoted { "manager" } else { role })
        })
        .collect()
}

/// Returns the number of rows of a list, which is read page by page.
async fn rows(api: &Api, session: &mut Session, path: &str) -> Result<u64, Error> {
    let (mut count, mut after) = (0, String::new());
    loop {
        let answer = api.get(session, &format!("{path}{after}")).await?;
        let page = answer["data"].as_array().ok_or_else(|| Error::Unexpected(format!("{path}: {answer}")))?;
        count += page.len() as u64;
        match page.last() {
            Some(last) if page.len() == PAGE => after = format!("&startAfter={}", text(last, "uid")?),
            _ => return Ok(count),
        }
    }
}

/// Returns the state of the purchase that pays for the organisation.
async fn standing(api: &Api, founder: &mut Session, org: &str) -> Result<String, Error> {
    let accounts = api.get(founder, "/v1/accounts").await?;
    let account = accounts["data"][0]["uid"].as_str().unwrap_or_default().to_owned();
    let provisions = api.get(founder, &format!("/v1/accounts/{account}/provisions")).await?;
    let one = provisions["data"].as_array().and_then(|all| all.iter().find(|one| one["orgId"] == org));
    Ok(one.and_then(|one| one["state"].as_str()).unwrap_or_default().to_owned())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Summary { tenant, numbers: one, temperatures, staff } in &self.organisations {
            let hours = one.watch_ms as i64 / HOUR;
            let minutes = one.watch_ms as i64 % HOUR / MINUTE;
            let leads = temperatures.map(|(name, count)| format!("{count} {name}")).join(", ");
            writeln!(f, "{}", tenant.setup().name)?;
            writeln!(f, "  Home       {} views, {hours} h {minutes} min watch time", one.views)?;
            writeln!(f, "  Content    {} items; playlists: {}", one.items, one.playlists)?;
            writeln!(
                f,
                "  Users      {} people, {} of them staff; pending invitations: {}",
                one.people, one.staff, one.invitations
            )?;
            writeln!(f, "  Leads      {}: {leads}", one.leads)?;
            writeln!(f, "  Billing    {}", one.billing)?;
            writeln!(f, "  Sign in as")?;
            for (email, role) in staff {
                writeln!(f, "    {email} ({role})")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "Password of all staff: {PASSWORD}")?;
        write!(
            f,
            "These numbers follow from seed {}. App users sign in with a link from the inbox.",
            self.seed
        )
    }
}
