//! (g) Latency of `GET /v1/playlists` while videos are processed on every core, against a server at rest.

use std::path::Path;
use std::time::Duration;

use reqwest::{Client, StatusCode};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::Failure;
use crate::api::{wait_for, wait_up_to};
use crate::film::Film;
use crate::house::Server;
use crate::process::{self, spread};
use crate::seed::Town;
use crate::table::{Row, Table};

const ROUNDS: usize = 3;
/// Interval of requests, whether or not the previous one was answered.
const EVERY: Duration = Duration::from_millis(10);
const REQUESTS: usize = 600;
/// Videos processed at the same time: as many as the machine has cores.
const FILMS: usize = 2;
/// Repetitions of the video, so that processing lasts much longer than a round.
const TIMES: u64 = 8;
/// Time limit for the first processing step on a machine that is busy.
const LONGEST: Duration = Duration::from_secs(300);
/// Maximum ratio to the latency at rest.
const MOST: f64 = 3.0;

/// Median and 99th percentile.
#[derive(Clone, Copy)]
struct Took {
    half: f64,
    most: f64,
}

/// The server has both cores, and so does the processing; the load shares one of them.
pub async fn measure(table: &mut Table, server: &Server, town: &Town, folder: &Path) -> Result<(), Failure> {
    let film = Film::make(folder)?.repeated(TIMES)?;
    let work = folder.join(&server.name).join("work");
    let url = server.at(&format!("/v1/playlists?orgId={}&limit=10", town.orgs[0].uid));
    let (client, bearer) = (Client::builder().no_proxy().build()?, town.owner.bearer());
    paced(&client, &url, &bearer, REQUESTS / 6).await?;
    let (mut rests, mut works) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        rests.push(paced(&client, &url, &bearer, REQUESTS).await?);
        works.push(
            beside_films(server, town, &film, &work, async || paced(&client, &url, &bearer, REQUESTS).await)
                .await?,
        );
    }
    let figures = |rounds: &[Took], figure: fn(&Took) -> f64| spread(rounds.iter().map(figure));
    let (half, most) = (|took: &Took| took.half, |took: &Took| took.most);
    let times = |figure| figures(&works, figure).median / figures(&rests, figure).median;
    table.add(Row {
        what: format!("(g) p99 while processing {FILMS} videos, or at rest"),
        unit: "ms",
        ours: figures(&works, most),
        theirs: figures(&rests, most),
        ratio: 1.0 / times(most),
        by_cpu: None,
        goal: 1.0 / MOST,
        notes: vec![
            format!("p99 is {:.2} times that at rest (goal: at most {MOST})", times(most)),
            format!(
                "p50 {:.2} ms against {:.2} ms, {:.2} times; {REQUESTS} requests per round, one every {} ms, {}",
                figures(&works, half).median,
                figures(&rests, half).median,
                times(half),
                EVERY.as_millis(),
                server.cores.words(),
            ),
        ],
    });
    Ok(())
}

/// Measures while videos are being processed, then stops the processing.
async fn beside_films(
    server: &Server,
    town: &Town,
    film: &Film,
    work: &Path,
    measured: impl AsyncFnOnce() -> Result<Took, Failure>,
) -> Result<Took, Failure> {
    let mut paths = Vec::new();
    for _ in 0..FILMS {
        paths.push(format!("/v1/content/{}", film.upload(town).await?));
    }
    // The first processing step writes no segments.
    let first = |path: &Path, _| path.ends_with("720-0.m4s");
    let begun = async || Ok((process::all_found(work, first).len() == FILMS).then_some(()));
    wait_up_to(LONGEST, "start of processing", begun).await?;
    let took = measured().await?;
    for path in &paths {
        if town.owner.get(path).await?["processing"] != "running" {
            return Err("the processing of a video ended too early".into());
        }
        // The worker notices the deletion and stops the tools.
        town.owner.delete(path).await?;
    }
    wait_for("end of the tools", async || Ok((!process::has_children(server.pid())?).then_some(()))).await?;
    Ok(took)
}

/// Sends requests at fixed times. Each is measured from the time at which it was due, so that waiting counts.
async fn paced(client: &Client, url: &str, bearer: &str, count: usize) -> Result<Took, Failure> {
    let mut ticks = interval_at(Instant::now() + EVERY, EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut requests = JoinSet::new();
    for _ in 0..count {
        let due = ticks.tick().await;
        let request = client.get(url).header("authorization", bearer);
        requests.spawn(async move {
            let answer = request.send().await?;
            let (status, bytes) = (answer.status(), answer.bytes().await?);
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
    Ok(Took { half: at(0.5), most: at(0.99) })
}
