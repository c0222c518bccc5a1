//! (l) The screens about what was watched, in a database of 10,000,000 events against one of 100,000, on both engines.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use bulk::{Filled, OWNER, Scale};
use db::Db;
use kernel::{Ambient, DAY, OrgId, Timestamp, iso};
use payments::Mode;
use sea_orm::{ConnectionTrait as _, Statement};
use server::admin;
use server::bootstrap::Bootstrap;
use server::compose::{self, App};

use crate::api::Api;
use crate::people::Calls;
use crate::process::{Cores, spread};
use crate::seed::{Org, SeedData};
use crate::server_process::{self, Server};
use crate::table::{Row, Table};
use crate::{BoxError, events};

/// Beats in the large database, unless the environment names another number.
const EVENTS: usize = 10_000_000;
const EVENTS_VARIABLE: &str = "VITRINE_BENCH_EVENTS";
/// The only engine to measure, if it is set.
const ENGINE_VARIABLE: &str = "VITRINE_BENCH_ENGINE";
/// Beats in the small one.
const SMALL: usize = 100_000;
/// Rounds, and requests of each kind in a round.
const ROUNDS: usize = 5;
const REQUESTS: usize = 30;
/// Goals: the time of the same call with 100,000 events, and that of the caller's own profile.
const MAX_GROWTH: f64 = 1.5;
const MAX_PROFILES: f64 = 5.0;
/// Goal: the share of the same events parsed and discarded.
const MIN_EVENTS: f64 = 0.35;
/// Organisations whose people send events, and how many of each do.
const SENDING_ORGS: usize = 4;
const SENDERS: usize = 16;
/// Days after which half of the events are older than they are kept.
const DAYS_UNTIL_PURGE: i64 = 396 - bulk::DAYS / 2;

/// Measures on SQLite, then on PostgreSQL.
pub async fn measure(table: &mut Table, folder: &Path) -> Result<(), BoxError> {
    let only = std::env::var(ENGINE_VARIABLE).ok();
    if let Some(other) = only.as_deref().filter(|only| !["SQLite", "PostgreSQL"].contains(only)) {
        return Err(format!("{ENGINE_VARIABLE} is SQLite or PostgreSQL, not {other}").into());
    }
    let is_wanted = |engine: &str| only.as_deref().is_none_or(|only| only == engine);
    let events = std::env::var(EVENTS_VARIABLE).ok().map_or(Ok(EVENTS), |text| text.parse())?;
    let file = |data: &Path| Ok(format!("sqlite://{}", data.join("vitrine.db").display()));
    if is_wanted("SQLite") {
        on_engine(table, folder, "SQLite", events, file).await?;
    }
    if !is_wanted("PostgreSQL") {
        return Ok(());
    }
    let mut clusters = Vec::new();
    let measured = on_engine(table, folder, "PostgreSQL", events, |_| {
        let started = Command::new("tools/postgres").arg("start").output()?;
        let url = String::from_utf8(started.stdout)?.trim().to_owned();
        if url.is_empty() {
            return Err("PostgreSQL does not start".into());
        }
        clusters.push(url.clone());
        Ok(url)
    })
    .await;
    for url in clusters {
        Command::new("tools/postgres").args(["stop", &url]).status()?;
    }
    measured
}

/// A filled database and its folder.
struct Database {
    data: PathBuf,
    url: String,
    filled: Filled,
}

impl Database {
    async fn create(data: PathBuf, url: String, scale: Scale) -> Result<Self, BoxError> {
        let started = Instant::now();
        let db = Db::connect(&url).await?;
        let ambient = Ambient::system();
        db::migrate(&db, &ambient, &compose::migrations()).await?;
        let filled = bulk::fill(&db, &ambient, scale, |_| ()).await?;
        db.close().await;
        crate::say(&format!("{} events took {:.0} s", scale.events, started.elapsed().as_secs_f64()));
        let org = filled.orgs.last().ok_or("no organisations")?.uid.to_string();
        let database = Self { data, url, filled };
        database.run("check", &org)?;
        let db = Db::connect(&database.url).await?;
        bulk::vacuum(&db).await?;
        db.close().await;
        Ok(database)
    }

    /// Runs one of the commands below in another process: it keeps a lock on the database.
    fn run(&self, command: &str, argument: &str) -> Result<(), BoxError> {
        let mut process = Command::new(std::env::current_exe()?);
        process.arg(command).arg(&self.data).args([&self.url, argument]);
        crate::process::timed(&mut process).map(drop)
    }

    /// Returns the size of the database in bytes, and how much of that is free for new rows on SQLite.
    async fn size(&self) -> Result<(i64, i64), BoxError> {
        let db = Db::connect(&self.url).await?;
        let sql = match db.engine() {
            db::Engine::Sqlite => {
                "SELECT c.page_count * s.page_size, f.freelist_count * s.page_size \
                 FROM pragma_page_count() c, pragma_page_size() s, pragma_freelist_count() f"
            }
            db::Engine::Postgres => "SELECT pg_database_size(current_database()), CAST(0 AS BIGINT)",
        };
        let statement = Statement::from_string(db.read().get_database_backend(), sql);
        let row = db.read().query_one_raw(statement).await?.ok_or("no size")?;
        let size = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        db.close().await;
        Ok(size)
    }
}

/// Checks that a recount of an organisation finds no difference, and packs views and totals, as jobs do.
pub async fn check(data: &Path, url: &str, org: &str) -> Result<(), BoxError> {
    let bootstrap = open(data, url).await?;
    let App { admin, features, .. } = built(&bootstrap).await?;
    features.analytics.pack_views().await?;
    features.analytics.pack_people().await?;
    features.analytics.pack_totals().await?;
    let (lines, mut printed) = tokio::sync::mpsc::channel(8);
    admin.run(admin::Command::Recount { org: Some(org.parse()?) }, "bench".to_owned(), &lines).await;
    drop(lines);
    let mut last = String::new();
    while let Some(line) = printed.recv().await {
        if let admin::Line::RecountDone { differences: 0, .. } = line {
            return Ok(());
        }
        last = line.to_string();
    }
    Err(format!("the filled totals are wrong: {last}").into())
}

/// Moves the clock until half of the events are older than they are kept, and runs what is due then.
pub async fn purge(data: &Path, url: &str) -> Result<(), BoxError> {
    let bootstrap = open(data, url).await?;
    bootstrap.clock.advance(DAYS_UNTIL_PURGE * DAY);
    let App { jobs, handlers, .. } = built(&bootstrap).await?;
    jobs.run_due(&handlers).await?;
    bootstrap.db.close().await;
    Ok(())
}

async fn open(data: &Path, url: &str) -> Result<Bootstrap, BoxError> {
    let settings = server_process::settings(data, "127.0.0.1:0", url, Mode::None.as_str())?;
    Bootstrap::open(settings).await.map_err(|error| error.to_string().into())
}

async fn built(bootstrap: &Bootstrap) -> Result<App, BoxError> {
    compose::build_app(bootstrap).await.map_err(|error| error.to_string().into())
}

async fn on_engine(
    table: &mut Table,
    folder: &Path,
    engine: &str,
    events: usize,
    mut url_of: impl FnMut(&Path) -> Result<String, BoxError>,
) -> Result<(), BoxError> {
    let mut databases = Vec::with_capacity(2);
    for (name, events) in [("large", events), ("small", SMALL)] {
        let scale = Scale::of(events, 1);
        crate::say(&format!("seeding {} events on {engine}", scale.events));
        let data = folder.join(format!("screens-{engine}-{name}"));
        std::fs::create_dir(&data)?;
        let url = url_of(&data)?;
        databases.push(Database::create(data, url, scale).await?);
    }
    let [large, small] = &databases[..] else { return Err("two databases expected".into()) };
    calls(table, engine, large, small).await?;
    let server = server_process::start_on(&large.data, &large.url, Cores::Server)?;
    let seed = senders(&server, &large.filled).await?;
    let what = format!("(l) {engine}: 20 beats stored, or discarded");
    events::measure(table, &server, &seed, (&what, MIN_EVENTS)).await?;
    server.stop()?;
    let (before, _) = large.size().await?;
    let started = Instant::now();
    large.run("purge", "")?;
    let took = started.elapsed().as_secs_f64();
    let (after, free) = large.size().await?;
    let megabytes = |bytes: i64| bytes as f64 / 1e6;
    table.add(Row {
        what: format!("(l) {engine}: size after the purge of half of the events, and before"),
        unit: "MB",
        ours: spread([megabytes(after)]),
        theirs: spread([megabytes(before)]),
        ratio: megabytes(after) / megabytes(before),
        by_cpu: None,
        goal: f64::NAN,
        notes: vec![format!("the purge took {took:.0} s; {:.0} MB of the file are free", megabytes(free))],
    });
    for database in &databases {
        std::fs::remove_dir_all(&database.data)?;
    }
    Ok(())
}

/// Measures every call on the large and the small database in turn.
async fn calls(table: &mut Table, engine: &str, large: &Database, small: &Database) -> Result<(), BoxError> {
    let servers = [
        server_process::start_on(&large.data, &large.url, Cores::Both)?,
        server_process::start_on(&small.data, &small.url, Cores::Both)?,
    ];
    let owners = [
        Api::of(&servers[0])?.sign_in(OWNER, "portal").await?,
        Api::of(&servers[1])?.sign_in(OWNER, "portal").await?,
    ];
    let [ours, theirs] = [Calls::of(&servers[0], &owners[0])?, Calls::of(&servers[1], &owners[1])?];
    for (name, of_large) in paths(&large.filled)? {
        let (_, of_small) = paths(&small.filled)?
            .into_iter()
            .find(|(other, _)| *other == name)
            .ok_or("the same calls are expected")?;
        for (owner, path) in owners.iter().zip([&of_large, &of_small]) {
            owner.get(path).await?;
        }
        let (mut at_large, mut at_small, mut profiles) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            at_large.push(ours.percentile(&of_large, 50, REQUESTS).await?);
            at_small.push(theirs.percentile(&of_small, 50, REQUESTS).await?);
            profiles.push(ours.percentile("/v1/profiles", 50, REQUESTS).await?);
        }
        let at_large = spread(at_large);
        for (what, reference, most) in [
            (name.to_owned(), spread(at_small), MAX_GROWTH),
            (format!("{name}, profile"), spread(profiles), MAX_PROFILES),
        ] {
            table.add(Row {
                what: format!("(l) {engine}: {what}"),
                unit: "ms",
                ours: at_large,
                theirs: reference,
                ratio: reference.median / at_large.median,
                by_cpu: None,
                goal: 1.0 / most,
                notes: Vec::new(),
            });
        }
    }
    servers.into_iter().try_for_each(Server::stop)
}

/// Returns the measured calls.
fn paths(filled: &Filled) -> Result<Vec<(&'static str, String)>, BoxError> {
    let org = filled.orgs.first().ok_or("no organisations")?;
    let (uid, person) = (org.uid, org.people[0].0);
    let (content, playlist) = (org.contents[0], org.playlists[0]);
    let time = |ms| iso(Timestamp::from_ms(ms));
    let range = |start: &str, end: &str| format!("{start}={}&{end}={}", time(filled.start), time(filled.end));
    let times = range("startTime", "endTime");
    Ok(vec![
        ("series of 12 months", format!("/v1/analytics/watch_time?orgId={uid}&{times}&unit=months")),
        ("overview of 12 months", format!("/v1/analytics/overview?orgId={uid}&{times}")),
        ("dashboard", format!("/v1/organizations/{uid}/dashboard")),
        ("leads, first page and counts", format!("/v1/analytics/leads?orgId={uid}")),
        ("leads, search", format!("/v1/analytics/leads?orgId={uid}&search=smith")),
        ("leads, search for a rare word", format!("/v1/analytics/leads?orgId={uid}&search=quillfeather")),
        (
            "user analytics of the busiest",
            format!("/v1/analytics/users/{person}?orgId={uid}&{}", range("startDate", "endDate")),
        ),
        ("most watched item", format!("/v1/analytics/content/{content}?{times}")),
        ("most watched playlist", format!("/v1/analytics/playlists/{playlist}?{times}")),
    ])
}

/// Signs in the people who send events.
async fn senders(server: &Server, filled: &Filled) -> Result<SeedData, BoxError> {
    let anonymous = Api::of(server)?;
    let owner = anonymous.sign_in(bulk::SECOND_OWNER, "portal").await?;
    let mut orgs = Vec::with_capacity(SENDING_ORGS);
    for org in filled.orgs.iter().take(SENDING_ORGS) {
        let uid: OrgId = org.uid;
        let mut viewers = Vec::with_capacity(SENDERS);
        for n in 0..SENDERS {
            viewers.push(anonymous.sign_in(&bulk::email(uid, n), "viewer").await?.bearer());
        }
        // The items of the first playlist.
        let videos = org.contents.iter().step_by(org.playlists.len()).take(4).map(ToString::to_string);
        let playlist = org.playlists[0].to_string();
        orgs.push(Org { uid: uid.to_string(), videos: videos.collect(), playlist, viewers });
    }
    Ok(SeedData { owner, orgs })
}
