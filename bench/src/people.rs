//! (j) The people of an organisation with 100,000 of them, against one with 1,000, on both engines. A third
//! organisation of 100,000 people is there too.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use bulk::{OWNER, rows};
use db::Db;
use kernel::{Ambient, ConsentId, OrgId, PersonId};
use reqwest::Client;
use sea_orm::Value;
use serde_json::Value as Json;
use server::compose;

use crate::BoxError;
use crate::api::Api;
use crate::process::{self, Cores, Spread, spread};
use crate::server_process::{self, Server};
use crate::table::{Row, Table};

/// People of the large organisations and of the small one.
const LARGE: u32 = 100_000;
const SMALL: u32 = 1_000;
/// Rounds, and requests of each kind in a round.
const ROUNDS: usize = 5;
const REQUESTS: usize = 100;
/// Goals: the time of the same call with 1,000 people, and that of the caller's own profile.
const MAX_GROWTH: f64 = 1.5;
const MAX_PROFILES: f64 = 5.0;
/// Goal: how much the memory of the server grows during an export, in MiB.
const MAX_EXPORT_MIB: f64 = 32.0;

/// Staff of an organisation of any size, beside its owner; the others are leads.
const ADMINS: u32 = 31;

/// The calls, with what they return at least.
const CALLS: [(&str, &str, usize); 11] = [
    ("first page", "", 20),
    ("search without a hit", "&search=zzyzx", 0),
    ("search with one hit", "&search=quillfeather", 1),
    ("search for a common word", "&search=smith", 20),
    ("search for two common words", "&search=smith%20northern", 20),
    ("search for two common words without a hit", "&search=grace%20northern", 0),
    ("search for a common and a rare word", "&search=bench%20quillfeather", 1),
    ("search for one letter", "&search=a", 20),
    ("search for a word of another script", "&search=%D0%B4%D0%BC%D0%B8%D1%82%D1%80", 20),
    ("total", "&limit=1", 1),
    ("admins only", "&admins=true", 20),
];

/// Measures on SQLite, then on PostgreSQL.
pub async fn measure(table: &mut Table, folder: &Path) -> Result<(), BoxError> {
    on_engine(table, folder, "SQLite", "").await?;
    let started = Command::new("tools/postgres").arg("start").output()?;
    let url = String::from_utf8(started.stdout)?.trim().to_owned();
    if url.is_empty() {
        return Err("PostgreSQL does not start".into());
    }
    let measured = on_engine(table, folder, "PostgreSQL", &url).await;
    Command::new("tools/postgres").args(["stop", &url]).status()?;
    measured
}

async fn on_engine(table: &mut Table, folder: &Path, engine: &str, url: &str) -> Result<(), BoxError> {
    crate::say(&format!("seeding 201,000 people on {engine}"));
    let data = folder.join(format!("people-{engine}"));
    std::fs::create_dir(&data)?;
    let file = format!("sqlite://{}", data.join("vitrine.db").display());
    let [large, _, small] = seed(if url.is_empty() { &file } else { url }).await?;
    let server = server_process::start_on(&data, url, Cores::Both)?;
    let owner = Api::of(&server)?.sign_in(OWNER, "portal").await?;
    let calls = Calls::of(&server, &owner)?;
    for (name, query, rows) in CALLS {
        let path = |org: OrgId| format!("/v1/organizations/{org}/users?{}", query.trim_start_matches('&'));
        for org in [large, small] {
            let answer = owner.get(&path(org)).await?;
            if answer["data"].as_array().map_or(0, Vec::len) != rows {
                return Err(format!("{name}: {rows} people expected, {}", answer["data"]).into());
            }
        }
        let (mut ours, mut theirs, mut profiles) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(calls.p95(&path(large)).await?);
            theirs.push(calls.p95(&path(small)).await?);
            profiles.push(calls.p95("/v1/profiles").await?);
        }
        let (ours, theirs, profiles) = (spread(ours), spread(theirs), spread(profiles));
        let row = |what: String, theirs: Spread, most: f64| Row {
            what,
            unit: "ms",
            ours,
            theirs,
            ratio: theirs.median / ours.median,
            by_cpu: None,
            goal: 1.0 / most,
            notes: Vec::new(),
        };
        table.add(row(format!("(j) {engine}: {name}"), theirs, MAX_GROWTH));
        table.add(row(format!("(j) {engine}: {name}, profile"), profiles, MAX_PROFILES));
    }
    let people = format!("/v1/organizations/{large}/users/export");
    export(table, &format!("(j) {engine}: export of people"), &owner, &server, &people, LARGE + 2).await?;
    let leads = format!("/v1/analytics/leads/export?orgId={large}");
    export(table, &format!("(j) {engine}: export of leads"), &owner, &server, &leads, LARGE - ADMINS + 1)
        .await?;
    server.stop()
}

/// Measures how much the memory of the server grows during an export.
async fn export(
    table: &mut Table,
    what: &str,
    owner: &Api,
    server: &Server,
    path: &str,
    lines: u32,
) -> Result<(), BoxError> {
    let before = process::memory(server.pid())?;
    process::reset_peak(server.pid())?;
    let started = Instant::now();
    let file = owner.bytes(path).await?;
    let time = started.elapsed().as_secs_f64();
    let found = String::from_utf8(file.clone())?.lines().count();
    if found != lines as usize {
        return Err(format!("{what}: {found} lines instead of {lines}").into());
    }
    let mib = |bytes: u64| bytes as f64 / 1024.0 / 1024.0;
    let peak = process::memory(server.pid())?.peak;
    let growth = mib(peak.saturating_sub(before.now)).max(0.1);
    table.add(Row {
        what: format!("{what}, growth of memory"),
        unit: "MiB",
        ours: spread([growth]),
        theirs: spread([MAX_EXPORT_MIB]),
        ratio: MAX_EXPORT_MIB / growth,
        by_cpu: None,
        goal: 1.0,
        notes: vec![format!(
            "{lines} lines, {:.1} MB in {time:.1} s; memory {:.0} MiB before, {:.0} MiB at most",
            file.len() as f64 / 1e6,
            mib(before.now),
            mib(peak)
        )],
    });
    Ok(())
}

/// Calls over one connection.
pub struct Calls<'a> {
    client: Client,
    bearer: String,
    server: &'a Server,
}

impl<'a> Calls<'a> {
    /// Creates the caller with a connection.
    pub fn of(server: &'a Server, caller: &Api) -> Result<Self, BoxError> {
        Ok(Self { client: Client::builder().no_proxy().build()?, bearer: caller.bearer(), server })
    }

    /// Returns the 95th percentile of the time of a call, in milliseconds.
    async fn p95(&self, path: &str) -> Result<f64, BoxError> {
        self.percentile(path, 95, REQUESTS).await
    }

    /// Returns a percentile of the time until a call is answered completely, in milliseconds.
    pub async fn percentile(&self, path: &str, percent: usize, requests: usize) -> Result<f64, BoxError> {
        let mut times = Vec::with_capacity(requests);
        for _ in 0..requests {
            let started = Instant::now();
            let request = self.client.get(self.server.at(path)).header("authorization", &self.bearer);
            let body = request.send().await?.error_for_status()?.bytes().await?;
            times.push(started.elapsed().as_secs_f64() * 1e3);
            if serde_json::from_slice::<Json>(&body)?.is_null() {
                return Err(format!("{path} returned nothing").into());
            }
        }
        times.sort_by(f64::total_cmp);
        times.get(requests * percent / 100).copied().ok_or_else(|| "no requests".into())
    }
}

/// Fills a database: two organisations of 100,000 people and one of 1,000, with the same owner.
async fn seed(url: &str) -> Result<[OrgId; 3], BoxError> {
    let db = Db::connect(url).await?;
    let ambient = Ambient::system();
    db::migrate(&db, &ambient, &compose::migrations()).await?;
    let orgs: [OrgId; 3] = [ambient.uid(), ambient.uid(), ambient.uid()];
    let [large, ..] = orgs;
    let tx = db.write_tx().await?;
    let organisations: Vec<[Value; 16]> = orgs.iter().map(|org| rows::organisation(*org, "Bench")).collect();
    db::rows::bulk_upsert(&tx, rows::ORGANISATION, &organisations, "").await?;
    let owner: PersonId = ambient.uid();
    let mut people = vec![rows::person(owner, "Olga Owner", OWNER, "Bench")];
    let (mut consents, mut standings, mut leads) = (Vec::new(), Vec::new(), Vec::new());
    let mut members: Vec<[Value; 5]> =
        orgs.iter().map(|org| rows::member(ambient.uid(), *org, owner, "superAdmin")).collect();
    for (org, count) in orgs.iter().zip([LARGE, LARGE, SMALL]) {
        for n in 0..count {
            let uid: PersonId = ambient.uid();
            let name = rows::name(n as usize, n == count / 2);
            // Half of the people have each of two words, and no first name occurs in both halves.
            let company = if n % 2 == 0 { "Northern Bench" } else { "Southern Bench" };
            people.push(rows::person(uid, &name, &format!("p{n}@{org}.example"), company));
            let is_admin = n % (count / 30) == 0;
            if *org == large {
                let record: ConsentId = ambient.uid();
                consents.push(rows::consent(record, *org, uid));
                standings.push(rows::standing(record, *org, uid));
                // Staff are no leads.
                if !is_admin {
                    leads.push(lead(*org, uid));
                }
            }
            members.push(rows::member(ambient.uid(), *org, uid, if is_admin { "manager" } else { "user" }));
        }
    }
    db::rows::bulk_upsert(&tx, rows::PERSON, &people, "").await?;
    db::rows::bulk_upsert(&tx, rows::MEMBER, &members, "").await?;
    db::rows::bulk_upsert(&tx, rows::CONSENT, &consents, "").await?;
    db::rows::bulk_upsert(&tx, rows::STANDING, &standings, "").await?;
    db::rows::bulk_upsert(&tx, LEAD, &leads, "").await?;
    bulk::list_people(&tx).await?;
    tx.commit().await?;
    bulk::vacuum(&db).await?;
    db.close().await;
    Ok(orgs)
}

const LEAD: &str = "lead (org, person, since, points, day, score, temperature, modified_at)";

fn lead(org: OrgId, person: PersonId) -> [Value; 8] {
    [org.into(), person.into(), 1.into(), 1.0.into(), 1.into(), 5.into(), Value::from("cold"), 1.into()]
}
