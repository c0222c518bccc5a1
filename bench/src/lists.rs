//! (a) `GET /v1/playlists` against the same bytes from memory behind the same token check.

use std::path::Path;
use std::time::Duration;

use crate::BoxError;
use crate::api::Api;
use crate::seed::SeedData;
use crate::server_process::Server;
use crate::table::{Row, Table};
use crate::wrk::{self, Run, Wrk};

const CONNECTIONS: u32 = 32;
const ROUNDS: usize = 7;
const TIME: Duration = Duration::from_secs(4);
const GOAL: f64 = 0.12;

/// Ten playlists of four items each, for a super admin.
pub async fn measure(
    table: &mut Table,
    server: &Server,
    seed: &SeedData,
    folder: &Path,
) -> Result<(), BoxError> {
    let path = format!("/v1/playlists?orgId={}&limit=10", seed.orgs[0].uid);
    let response = seed.owner.bytes(&path).await?;
    let list: serde_json::Value = serde_json::from_slice(&response)?;
    if list["data"].as_array().map(Vec::len) != Some(10) {
        return Err("the list does not have ten playlists".into());
    }
    let size = response.len();
    Api::of(server)?.put("/v1/bench/bytes", "application/octet-stream", response.clone()).await?;
    if seed.owner.bytes("/v1/bench/playlists").await? != response {
        return Err("the reference does not return the same bytes".into());
    }
    let headers = [format!("authorization: {}", seed.owner.bearer())];
    let script = wrk::script(folder, wrk::ADDRESS)?;
    let load = Wrk { script, argument: String::new(), connections: CONNECTIONS, headers: &headers };
    let run = |path: &str, time| load.run(&server.at(path), time, server.pid());
    let runs = wrk::in_turn(ROUNDS, TIME, |time| run(&path, time), |time| run("/v1/bench/playlists", time))?;
    let mut row = Row::of_runs("(a) 10 playlists, or the bytes from memory", "req/s", &runs, Run::rate);
    row.goal = GOAL;
    row.notes.push(format!("{size} bytes of JSON, {CONNECTIONS} connections, server on one core"));
    table.add(row);
    Ok(())
}
