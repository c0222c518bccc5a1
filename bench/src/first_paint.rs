//! (i) Time to the largest contentful paint of the first screens in Chromium, over slow 4G and with a slow processor: those
//! of the portal in an empty organisation, and those of the viewer app in the demo.

use std::path::Path;
use std::process::Command;

use crate::BoxError;
use crate::api::{Api, text};
use crate::process::{Cores, spread};
use crate::seed::SeedData;
use crate::server_process::{self, Server};
use crate::table::{Row, Table};

/// A screen: its name in what the browser's script prints, what it is, and its goal in seconds.
type Screen = (&'static str, &'static str, f64);

const PORTAL: [Screen; 2] = [("login", "login", 1.8), ("home", "home", 3.0)];
const VIEWER: [Screen; 3] = [
    ("join", "page of a joining link", 1.5),
    ("viewer", "home of the viewer app", 2.5),
    ("again", "the same home on a later visit", 1.0),
];

/// A super admin of the demo.
const DEMO_OWNER: &str = "alexandra.lindqvist@northwind.example";

/// Measures the first screens of the portal, then those of the viewer app.
pub async fn measure(table: &mut Table, folder: &Path) -> Result<(), BoxError> {
    let server = server_process::start(folder, "paint", Cores::Both)?;
    let seed = SeedData::create(&server, 1).await?;
    let token = seed.owner.token.clone().unwrap_or_default();
    let settings = [("BENCH_APP", "portal"), ("BENCH_ORG", &seed.orgs[0].uid), ("BENCH_TOKEN", &token)];
    browse(table, &server, &settings, &PORTAL)?;
    server.stop()?;

    let server = demo(folder)?;
    let owner = Api::of(&server)?.sign_in(DEMO_OWNER, "portal").await?;
    let organisation = owner.get("/v1/organizations").await?["data"][0].clone();
    let org = text(&organisation, "uid")?;
    // The link has the address that is set for the public; the server listens on another port.
    let join = text(&organisation, "publicJoinUrl")?;
    let join = server.at(&format!("/app/join/{}", join.rsplit('/').next().unwrap_or_default()));
    let people = owner.get(&format!("/v1/organizations/{org}/users?limit=100")).await?;
    let viewer = people["data"].as_array().into_iter().flatten().find(|person| person["role"] == "user");
    let viewer = text(&viewer.ok_or("the demo has no viewer")?["user"], "email")?;
    let token = Api::of(&server)?.sign_in(&viewer, "viewer").await?.token.unwrap_or_default();
    let settings =
        [("BENCH_APP", "viewer"), ("BENCH_ORG", &org), ("BENCH_TOKEN", &token), ("BENCH_JOIN", &join)];
    browse(table, &server, &settings, &VIEWER)?;
    server.stop()
}

/// Starts a server on the demo.
fn demo(folder: &Path) -> Result<Server, BoxError> {
    crate::say("creating the demo");
    let data = folder.join("demo");
    let output = Command::new("target/release/vitrine")
        .args(["demo", "--size", "small"])
        .env("VITRINE_DATA_DIR", &data)
        .env("VITRINE_SANDBOX", "true")
        .output()?;
    if !output.status.success() {
        return Err(format!("no demo: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    server_process::start_on_purchases(&data)
}

/// Runs the browser. Its script is in `e2e/`, which has the tools.
fn browse(
    table: &mut Table,
    server: &Server,
    settings: &[(&str, &str)],
    screens: &[Screen],
) -> Result<(), BoxError> {
    // A phone has more than one core, and a browser several processes.
    let output = Command::new("taskset")
        .args(["-c", Cores::Both.list(), "npx", "playwright", "test", "--config", "first-paint.config.ts"])
        .current_dir("e2e")
        .env("BENCH_URL", server.at(""))
        .envs(settings.iter().copied())
        .output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("the browser could not measure:\n{printed}").into());
    }
    for (screen, what, goal) in screens {
        let rounds: Vec<f64> = printed
            .lines()
            .filter_map(|line| line.split_once(' ').filter(|(name, _)| name == screen))
            .filter_map(|(_, seconds)| seconds.trim().parse().ok())
            .collect();
        if rounds.is_empty() || rounds.contains(&0.0) {
            return Err(format!("the browser did not see the paint of {screen}:\n{printed}").into());
        }
        let ours = spread(rounds);
        table.add(Row {
            what: format!("(i) {what} painted over slow 4G, or goal"),
            unit: "s",
            ratio: goal / ours.median,
            ours,
            theirs: spread([*goal]),
            by_cpu: None,
            goal: 1.0,
            notes: vec![format!(
                "largest contentful paint; 4 times slower processor, {}",
                server.cores.describe()
            )],
        });
    }
    Ok(())
}
