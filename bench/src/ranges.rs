//! (d) Ranges of 2 MiB by a signed address against nginx on the same file.

use std::path::Path;
use std::time::Duration;

use crate::BoxError;
use crate::api::text;
use crate::ingest::BigFile;
use crate::nginx::Nginx;
use crate::process;
use crate::seed::SeedData;
use crate::server_process::Server;
use crate::table::{Row, Table};
use crate::wrk::{self, Run, Wrk};

const CONNECTIONS: u32 = 16;
const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(4);
const GOAL: f64 = 0.9;
/// Bytes of a range, as in the script.
const RANGE_BYTES: u64 = 2 * 1024 * 1024;

/// The content item `uid` is the big file.
pub async fn measure(
    table: &mut Table,
    server: &Server,
    seed: &SeedData,
    uid: &str,
    big: &BigFile,
    folder: &Path,
) -> Result<(), BoxError> {
    let stored = process::find_file(&folder.join("one"), |_, len| len == big.len)?;
    let nginx = Nginx::start(folder, &stored).await?;
    let content = seed.owner.get(&format!("/v1/content/{uid}")).await?;
    let url = text(&content, "url")?;
    let (ours, theirs) = (fetch_range(&url, big.len).await?, fetch_range(&nginx.at("/file"), big.len).await?);
    if ours != theirs {
        return Err("the two servers do not return the same bytes".into());
    }
    let script = wrk::script(folder, wrk::RANGES)?;
    let load = Wrk { script, argument: big.len.to_string(), connections: CONNECTIONS, headers: &[] };
    let whole = |run: Run| {
        if run.bytes / run.requests >= RANGE_BYTES {
            Ok(run)
        } else {
            Err(BoxError::from("responses are shorter than the range"))
        }
    };
    let runs = wrk::in_turn(
        ROUNDS,
        TIME,
        |time| load.run(&url, time, server.pid()).and_then(whole),
        |time| load.run(&nginx.at("/file"), time, nginx.pid()).and_then(whole),
    )?;
    let figure = |run: &Run| run.bytes_rate() / 1e6;
    let mut row = Row::of_runs("(d) ranges of 2 MiB, or nginx with sendfile", "MB/s", &runs, figure);
    row.goal = GOAL;
    row.notes.push(format!("{CONNECTIONS} connections, each server on one core, the file in memory"));
    table.add(row);
    Ok(())
}

/// Requests a range from the middle.
async fn fetch_range(url: &str, len: u64) -> Result<Vec<u8>, BoxError> {
    let first = len / 2 + 12_345;
    let client = reqwest::Client::builder().no_proxy().build()?;
    let range = format!("bytes={first}-{}", first + RANGE_BYTES - 1);
    let response = client.get(url).header("range", range).send().await?;
    if response.status() != 206 {
        return Err(format!("{url} responded to a range with {}", response.status()).into());
    }
    Ok(response.bytes().await?.to_vec())
}
