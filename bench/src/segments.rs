//! (d2) Segments of a processed video, by a signed address, against nginx on the same files.

use std::path::Path;
use std::time::Duration;

use crate::BoxError;
use crate::api::{path_of, text};
use crate::nginx::Nginx;
use crate::process;
use crate::seed::SeedData;
use crate::server_process::Server;
use crate::table::{Row, Table};
use crate::video::SampleVideo;
use crate::wrk::{self, Run, Wrk};

const CONNECTIONS: u32 = 16;
const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(4);
const GOAL: f64 = 0.9;

/// Paths of the segments: the same ones in the same order on both sides.
struct Segments {
    ours: Vec<String>,
    theirs: Vec<String>,
}

/// Uploads a video, waits until it is processed, and requests its segments in turn.
pub async fn measure(
    table: &mut Table,
    server: &Server,
    seed: &SeedData,
    folder: &Path,
) -> Result<(), BoxError> {
    let video = SampleVideo::make(folder)?;
    let content =
        seed.owner.get(&format!("/v1/content/{}", video.processed_by(server, seed).await?.uid)).await?;
    let master = text(&content, "hlsUrl")?;
    let segments = listed(seed, path_of(&master)?).await?;
    let first = segments.theirs.first().ok_or("the video has no segments")?;
    let stored = process::find_file(&folder.join("one"), |path, _| {
        path.ends_with(first.trim_start_matches("/file/"))
    })?;
    let nginx = Nginx::start(folder, stored.parent().ok_or("a file without a folder")?).await?;
    let bytes = compared(server, &nginx, &segments).await?;
    let count = segments.ours.len();
    let (ours, theirs) =
        (listing(folder, "ours", &segments.ours)?, listing(folder, "theirs", &segments.theirs)?);
    let run = |base: &str, argument: &str, time, pid| {
        let script = wrk::script(folder, wrk::PATHS)?;
        let load = Wrk { script, argument: argument.to_owned(), connections: CONNECTIONS, headers: &[] };
        load.run(base, time, pid)
    };
    let runs = wrk::in_turn(
        ROUNDS,
        TIME,
        |time| run(&server.at("/"), &ours, time, server.pid()),
        |time| run(&nginx.at("/"), &theirs, time, nginx.pid()),
    )?;
    let figure = |run: &Run| run.bytes_rate() / 1e6;
    let mut row = Row::of_runs("(d2) segments of HLS, or nginx with sendfile", "MB/s", &runs, figure);
    row.goal = GOAL;
    row.notes.push(format!(
        "{count} segments of {:.2} MB on average in {} sizes, {CONNECTIONS} connections, each server on one core",
        bytes as f64 / count as f64 / 1e6,
        video.sizes,
    ));
    table.add(row);
    Ok(())
}

/// Collects the segments that the playlists reference, in a player's order.
async fn listed(seed: &SeedData, master: &str) -> Result<Segments, BoxError> {
    let folder = master.rsplit_once('/').map(|(folder, _)| folder).ok_or("an address without a folder")?;
    let mut segments = Segments { ours: Vec::new(), theirs: Vec::new() };
    for variant in names(&seed.owner.bytes(master).await?) {
        for name in names(&seed.owner.bytes(&format!("{folder}/{variant}")).await?) {
            let file = name.split('?').next().unwrap_or_default();
            segments.theirs.push(format!("/file/{file}"));
            segments.ours.push(format!("{folder}/{name}"));
        }
    }
    Ok(segments)
}

fn names(playlist: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(playlist);
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// Checks that both sides return the same bytes; returns how many.
async fn compared(server: &Server, nginx: &Nginx, segments: &Segments) -> Result<u64, BoxError> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let fetch = async |url: String| {
        let response = client.get(&url).send().await?.error_for_status()?;
        Ok::<_, BoxError>(response.bytes().await?)
    };
    let mut sum = 0;
    for (ours, theirs) in segments.ours.iter().zip(&segments.theirs) {
        let (ours, theirs) = (fetch(server.at(ours)).await?, fetch(nginx.at(theirs)).await?);
        if ours != theirs || ours.is_empty() {
            return Err("the two servers do not return the same bytes".into());
        }
        sum += ours.len() as u64;
    }
    Ok(sum)
}

/// Writes the paths to a file for wrk; returns its path.
fn listing(folder: &Path, name: &str, paths: &[String]) -> Result<String, BoxError> {
    let path = folder.join(format!("{name}.txt"));
    std::fs::write(&path, paths.join("\n") + "\n")?;
    Ok(path.display().to_string())
}
