//! (g) Latency of `GET /v1/playlists` while videos are processed on every core, against a server at rest.

use std::path::Path;
use std::time::Duration;

use reqwest::{Client, StatusCode};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::BoxError;
use crate::api::{wait_for, wait_up_to};
use crate::process::{self, spread};
use crate::seed::SeedData;
use crate::server_process::Server;
use crate::table::{Row, Table};
use crate::video::SampleVideo;

const ROUNDS: usize = 3;
/// Interval of requests, whether or not the previous one was answered.
const EVERY: Duration = Duration::from_millis(10);
const REQUESTS: usize = 600;
/// Videos processed at the same time: as many as the machine has cores.
const VIDEOS: usize = 2;
/// Repetitions of the video, so that processing lasts much longer than a round.
const REPETITIONS: u64 = 8;
/// Time limit for the first processing step on a machine that is busy.
const PROCESSING_TIMEOUT: Duration = Duration::from_mins(5);
/// Maximum ratio to the latency at rest.
const MAX_RATIO: f64 = 3.0;

/// Median and 99th percentile, in milliseconds.
#[derive(Clone, Copy)]
pub struct Latency {
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
}

/// The server has both cores, and so does the processing; the load shares one of them.
pub async fn measure(
    table: &mut Table,
    server: &Server,
    seed: &SeedData,
    folder: &Path,
) -> Result<(), BoxError> {
    let video = SampleVideo::make(folder)?.repeated(REPETITIONS)?;
    let work = folder.join(&server.name).join("work");
    let url = server.at(&format!("/v1/playlists?orgId={}&limit=10", seed.orgs[0].uid));
    let (client, bearer) = (Client::builder().no_proxy().build()?, seed.owner.bearer());
    timed_requests(&client, &url, &bearer, REQUESTS / 6).await?;
    let (mut at_rest, mut while_processing) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        at_rest.push(timed_requests(&client, &url, &bearer, REQUESTS).await?);
        while_processing.push(
            during_processing(server, seed, &video, &work, async || {
                timed_requests(&client, &url, &bearer, REQUESTS).await
            })
            .await?,
        );
    }
    let figures = |rounds: &[Latency], figure: fn(&Latency) -> f64| spread(rounds.iter().map(figure));
    let (p50, p99) = (|latency: &Latency| latency.p50, |latency: &Latency| latency.p99);
    let times = |figure| figures(&while_processing, figure).median / figures(&at_rest, figure).median;
    table.add(Row {
        what: format!("(g) p99 while processing {VIDEOS} videos, or at rest"),
        unit: "ms",
        ours: figures(&while_processing, p99),
        theirs: figures(&at_rest, p99),
        ratio: 1.0 / times(p99),
        by_cpu: None,
        goal: 1.0 / MAX_RATIO,
        notes: vec![
            format!("p99 is {:.2} times that at rest (goal: at most {MAX_RATIO})", times(p99)),
            format!(
                "p50 {:.2} ms against {:.2} ms, {:.2} times; {REQUESTS} requests per round, one every {} ms, {}",
                figures(&while_processing, p50).median,
                figures(&at_rest, p50).median,
                times(p50),
                EVERY.as_millis(),
                server.cores.describe(),
            ),
        ],
    });
    Ok(())
}

/// Measures while videos are being processed, then stops the processing.
async fn during_processing(
    server: &Server,
    seed: &SeedData,
    video: &SampleVideo,
    work: &Path,
    measured: impl AsyncFnOnce() -> Result<Latency, BoxError>,
) -> Result<Latency, BoxError> {
    let mut paths = Vec::new();
    for _ in 0..VIDEOS {
        paths.push(format!("/v1/content/{}", video.upload(seed).await?));
    }
    // The first processing step writes no segments.
    let first = |path: &Path, _| path.ends_with("720-0.m4s");
    let has_started = async || Ok((process::find_files(work, first).len() == VIDEOS).then_some(()));
    wait_up_to(PROCESSING_TIMEOUT, "start of processing", has_started).await?;
    let took = measured().await?;
    for path in &paths {
        if seed.owner.get(path).await?["processing"] != "running" {
            return Err("the processing of a video ended too early".into());
        }
        // The worker notices the deletion and stops the tools.
        seed.owner.delete(path).await?;
    }
    wait_for("end of the tools", async || Ok((!process::has_children(server.pid())?).then_some(()))).await?;
    Ok(took)
}

/// Sends requests at fixed times. Each is measured from the time at which it was due, so that waiting counts.
pub async fn timed_requests(
    client: &Client,
    url: &str,
    bearer: &str,
    count: usize,
) -> Result<Latency, BoxError> {
    let mut ticks = interval_at(Instant::now() + EVERY, EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut requests = JoinSet::new();
    for _ in 0..count {
        let due = ticks.tick().await;
        let request = client.get(url).header("authorization", bearer);
        requests.spawn(async move {
            let response = request.send().await?;
            let (status, bytes) = (response.status(), response.bytes().await?);
            Ok::<_, reqwest::Error>((status, bytes.len(), due.elapsed()))
        });
    }
    let mut times = Vec::with_capacity(count);
    while let Some(done) = requests.join_next().await {
        let (status, bytes, took) = done??;
        if status != StatusCode::OK || bytes < 1_000 {
            return Err(format!("the list responded with {status} and {bytes} bytes").into());
        }
        times.push(took.as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() as f64 * part) as usize).min(times.len() - 1)];
    Ok(Latency { p50: at(0.5), p99: at(0.99) })
}
