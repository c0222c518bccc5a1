//! The two organisations: purchase, branding, staff.

use reqwest::Method;
use serde_json::{Value, json};

use crate::Error;
use crate::api::{Api, App, PATIENCE, Session, text};
use crate::media::{File, Media};
use crate::people::{Details, PASSWORD, Person, SCHOOL_STAFF, STAFF};

/// One of the two organisations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tenant {
    /// A public organisation of a company.
    Company,
    /// An organisation of a school that is unlisted in the end, and whose payment is past due.
    School,
}

/// How an organisation is set up.
pub struct Setup {
    pub name: &'static str,
    pub domain: &'static str,
    pub plan: &'static str,
    strapline: &'static str,
    colors: [&'static str; 3],
    phone: &'static str,
    /// The staff, the founder first, with the role each is invited to.
    pub staff: &'static [(Person, &'static str)],
}

impl Tenant {
    /// Returns how the organisation is set up.
    pub fn setup(self) -> Setup {
        match self {
            Self::Company => Setup {
                name: "Northwind Media",
                domain: "northwind.example",
                plan: "professional-annual",
                strapline: "Clear videos about money and markets.",
                colors: ["#0b3d5c", "#f2a65a", "#ffffff"],
                phone: "+44 20 7946 0958",
                staff: &STAFF,
            },
            Self::School => Setup {
                name: "Harbour Academy",
                domain: "harbour.example",
                plan: "essentials-monthly",
                strapline: "Learn the ropes before you sail.",
                colors: ["#06283d", "#3caea3", "#ffffff"],
                phone: "+47 22 12 34 56",
                staff: &SCHOOL_STAFF,
            },
        }
    }
}

/// An organisation that was founded.
pub struct Organisation {
    pub tenant: Tenant,
    pub id: String,
    pub provision: String,
    pub join_code: String,
    /// The staff, the founder first.
    pub staff: Vec<Session>,
    /// Ids of the content items, in the order of the catalog; those of other organisations are empty.
    pub items: Vec<String>,
    pub playlists: Vec<String>,
}

impl Organisation {
    /// Returns the session of the founder, who is the first member of the staff.
    pub fn founder(&mut self) -> &mut Session {
        &mut self.staff[0]
    }
}

/// Founds the organisation: its founder buys a plan, sets the branding and invites the staff, who accept.
pub async fn found(api: &Api, media: &Media, tenant: Tenant) -> Result<Organisation, Error> {
    let setup = tenant.setup();
    let (founder, _) = setup.staff[0];
    let mut session = sign_up(api, founder, setup.domain, setup.phone).await?;
    let (id, provision) = buy(api, &mut session, &setup).await?;
    brand(api, &mut session, &id, media, tenant).await?;
    let answer = api.post(&mut session, &format!("/v1/organizations/{id}/joinUrl"), &json!({})).await?;
    let join_url = text(&answer, "joinUrl")?;
    let join_code = join_url.rsplit('/').next().unwrap_or_default().to_owned();
    let mut staff = vec![session];
    for &(person, role) in &setup.staff[1..] {
        let email = person.email(setup.domain);
        invite(api, &mut staff[0], &id, &[&email], role).await?;
        let code = api.code_after(&email, None).await?;
        let mut member = sign_up(api, person, setup.domain, setup.phone).await?;
        api.get(&mut member, &format!("/v1/invites/{code}")).await?;
        staff.push(member);
    }
    Ok(Organisation { tenant, id, provision, join_code, staff, items: Vec::new(), playlists: Vec::new() })
}

/// Invites people to a role.
pub async fn invite(
    api: &Api,
    by: &mut Session,
    org: &str,
    emails: &[&str],
    role: &str,
) -> Result<(), Error> {
    let invites = json!({ "userEmails": emails, "role": role });
    let answer = api.post(by, &format!("/v1/organizations/{org}/invites"), &invites).await?;
    let problem = answer["data"].as_array().and_then(|all| all.iter().find(|one| !one["problem"].is_null()));
    problem.map_or(Ok(()), |one| Err(Error::Unexpected(format!("no invitation was sent: {one}"))))
}

/// Signs a staff member up, with a complete profile.
async fn sign_up(api: &Api, person: Person, domain: &str, phone: &str) -> Result<Session, Error> {
    let mut session = api.sign_up(&person.email(domain), PASSWORD).await?;
    complete_profile(api, &mut session, person, (phone, "Media and Publishing")).await?;
    Ok(session)
}

/// Fills in the profile.
pub async fn complete_profile(
    api: &Api,
    session: &mut Session,
    person: Person,
    (phone, area): (&str, &str),
) -> Result<(), Error> {
    let user = json!({
        "firstName": person.first, "lastName": person.last, "displayName": person.name(), "phoneNumber": phone,
        "company": person.company, "jobTitle": person.job,
        "businessArea": area, "termsAccepted": true,
    });
    api.patch(session, "/v1/profiles", &json!({ "user": user })).await.map(drop)
}

/// Buys the plan and returns the ids of the organisation and of the purchase.
async fn buy(api: &Api, founder: &mut Session, setup: &Setup) -> Result<(String, String), Error> {
    let form = json!({ "account": {
        "friendlyName": setup.name, "billingName": format!("{} Ltd", setup.name), "billingEmail": founder.email,
        "billingPhone": setup.phone, "billingAddress": null, "type": "business",
    } });
    let account = text(&api.post(founder, "/v1/accounts", &form).await?, "uid")?;
    let plan = json!({ "planId": setup.plan });
    let checkout = api.post(founder, &format!("/v1/accounts/{account}/checkout"), &plan).await?;
    let pay = format!("/sandbox/api/checkouts/{}", text(&checkout, "sessionId")?);
    api.call(Method::POST, &pay, Some(&json!({ "outcome": "pay" }))).await?;
    let provisions = format!("/v1/accounts/{account}/provisions");
    api.wait_for("purchased plan", PATIENCE, async || {
        let answer = api.get(founder, &provisions).await?;
        let active = answer["data"].as_array().and_then(|all| all.iter().find(|one| one["active"] == true));
        active.map(|one: &Value| Ok((text(one, "orgId")?, text(one, "uid")?))).transpose()
    })
    .await
}

async fn brand(
    api: &Api,
    founder: &mut Session,
    id: &str,
    media: &Media,
    tenant: Tenant,
) -> Result<(), Error> {
    let setup = tenant.setup();
    let (logo, wallpaper): (&File, &File) = match tenant {
        Tenant::Company => (&media.logo, &media.wallpaper),
        Tenant::School => (&media.school_logo, &media.chart),
    };
    let logo = api.upload_image(founder, id, logo).await?;
    let wallpaper = api.upload_image(founder, id, wallpaper).await?;
    let [primary, secondary, text] = setup.colors;
    let organisation = json!({
        "privacy": "public", "description": setup.strapline, "website": format!("https://{}", setup.domain),
        "logoUrl": logo,
        "timeZone": "Europe/London", "contact": { "email": format!("hello@{}", setup.domain), "phoneNumber": setup.phone },
        "theme": {
            "primaryColor": primary, "secondaryColor": secondary, "brandTextColor": text, "backgroundUrl": wallpaper,
        },
    });
    let change = json!({ "organisation": organisation });
    api.patch(founder, &format!("/v1/organizations/{id}"), &change).await.map(drop)
}

/// An app user joins and answers the notice, after signing in if there is no session yet.
pub async fn join(
    api: &Api,
    organisation: &Organisation,
    session: Option<Session>,
    person: Person,
    consent: bool,
) -> Result<Session, Error> {
    let mut session = match session {
        Some(session) => session,
        None => sign_in(api, person).await?,
    };
    let path = format!("/v1/join/{}", organisation.join_code);
    let page = api.get(&mut session, &path).await?;
    let answer = json!({ "consent": consent, "noticeVersion": page["notice"]["version"] });
    api.post(&mut session, &path, &answer).await?;
    Ok(session)
}

/// Signs an app user in, with a complete profile.
async fn sign_in(api: &Api, person: Person) -> Result<Session, Error> {
    let mut session = api.sign_in(&person.viewer_email(), App::Viewer).await?.on(person.device());
    let &Details { phone, business_area, .. } = person.details();
    complete_profile(api, &mut session, person, (phone, business_area)).await?;
    Ok(session)
}
