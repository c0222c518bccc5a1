//! (b) `POST /v1/events` against the same requests parsed and discarded.

use std::time::Duration;

use crate::Failure;
use crate::beats::{Crowd, EVENTS};
use crate::house::Server;
use crate::seed::Town;
use crate::table::{Row, Table};
use crate::wrk::Run;

const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(5);
const GOAL: f64 = 0.20;

/// Twenty beats per request, answered after a synced commit.
pub async fn measure(table: &mut Table, server: &Server, town: &Town) -> Result<(), Failure> {
    let crowd = Crowd::of(server, town);
    let mut runs = (Vec::new(), Vec::new());
    crowd.run("/v1/events", Duration::from_secs(1)).await?;
    crowd.run("/v1/bench/events", Duration::from_secs(1)).await?;
    for _ in 0..ROUNDS {
        runs.0.push(crowd.run("/v1/events", TIME).await?);
        runs.1.push(crowd.run("/v1/bench/events", TIME).await?);
    }
    let watched = watched(town).await?;
    let what = "(b) 20 beats stored, or parsed and discarded";
    let mut row = Row::of_runs(what, "events/s", &runs, |run: &Run| run.rate() * EVENTS as f64);
    row.goal = GOAL;
    row.notes.push(format!(
        "{} connections of {} viewers; the dashboards now show {:.0} hours of watch time",
        crowd.connections(),
        town.orgs.iter().map(|org| org.viewers.len()).sum::<usize>(),
        watched as f64 / 3.6e6,
    ));
    table.add(row);
    Ok(())
}

/// Returns the watch time of all organisations: what was acknowledged must have been counted.
async fn watched(town: &Town) -> Result<u64, Failure> {
    let mut sum = 0;
    for org in &town.orgs {
        let dashboard = town.owner.get(&format!("/v1/organizations/{}/dashboard", org.uid)).await?;
        sum += dashboard["totalStats"]["watchTimeMs"].as_u64().unwrap_or(0);
    }
    if sum == 0 { Err("the beats produced no watch time".into()) } else { Ok(sum) }
}
