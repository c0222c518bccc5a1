//! (b) `POST /v1/events` against the same requests parsed and discarded.

use std::time::Duration;

use crate::BoxError;
use crate::beats::{EVENTS, Players};
use crate::seed::SeedData;
use crate::server_process::Server;
use crate::table::{Row, Table};
use crate::wrk::Run;

const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(5);
/// What is measured in part (b), and its goal.
pub const ON_SEED: (&str, f64) = ("(b) 20 beats stored, or parsed and discarded", 0.20);

/// Twenty beats per request, answered after a synced commit.
pub async fn measure(
    table: &mut Table,
    server: &Server,
    seed: &SeedData,
    (what, goal): (&str, f64),
) -> Result<(), BoxError> {
    let players = Players::of(server, seed);
    let mut runs = (Vec::new(), Vec::new());
    players.run("/v1/events", Duration::from_secs(1)).await?;
    players.run("/v1/bench/events", Duration::from_secs(1)).await?;
    for _ in 0..ROUNDS {
        runs.0.push(players.run("/v1/events", TIME).await?);
        runs.1.push(players.run("/v1/bench/events", TIME).await?);
    }
    let watched = watched(seed).await?;
    let mut row = Row::of_runs(what, "events/s", &runs, |run: &Run| run.rate() * EVENTS as f64);
    row.goal = goal;
    row.notes.push(format!(
        "{} connections of {} viewers; the dashboards now show {:.0} hours of watch time",
        players.connections(),
        seed.orgs.iter().map(|org| org.viewers.len()).sum::<usize>(),
        watched as f64 / 3.6e6,
    ));
    table.add(row);
    Ok(())
}

/// Returns the watch time of all organisations: what was acknowledged must have been counted.
async fn watched(seed: &SeedData) -> Result<u64, BoxError> {
    let mut sum = 0;
    for org in &seed.orgs {
        let dashboard = seed.owner.get(&format!("/v1/organizations/{}/dashboard", org.uid)).await?;
        sum += dashboard["totalStats"]["watchTimeMs"].as_u64().unwrap_or(0);
    }
    if sum == 0 { Err("the beats produced no watch time".into()) } else { Ok(sum) }
}
