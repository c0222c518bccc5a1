//! (f) A video processed in confinement as the job does it, against ffmpeg alone with the same arguments.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use media::{Media, MediaSettings, Probe};

use crate::BoxError;
use crate::process::{self, spread};
use crate::seed::SeedData;
use crate::server_process::Server;
use crate::table::{Row, Table};
use crate::video::SampleVideo;

const ROUNDS: usize = 3;
/// Maximum ratio to the time of ffmpeg alone.
const MAX_RATIO: f64 = 1.05;
const DEMUXER: &str = "mov";

/// Resources used by one run.
#[derive(Clone, Copy)]
struct Used {
    wall: Duration,
    processor: Duration,
}

/// Runs both in turn on the core of the load; then the server's complete job.
pub async fn measure(
    table: &mut Table,
    server: &Server,
    seed: &SeedData,
    folder: &Path,
) -> Result<(), BoxError> {
    let video = SampleVideo::make(folder)?;
    // The sandbox uses the same setting.
    let settings = MediaSettings { without_confinement: true, ..MediaSettings::default() };
    let media = Media::open(settings, &folder.join("work"))?;
    let layers = media.confinement().working_layers().clone();
    let probe = media.probe(&video.path, DEMUXER).await?;
    let args = media.render_args(DEMUXER, &probe).ok_or("the video has no dimensions")?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(in_confinement(&media, &video.path, &probe).await?);
        theirs.push(alone(&args, &video, folder)?);
    }
    let whole = video.processed_by(server, seed).await?.took;
    let speed =
        |runs: &[Used]| spread(runs.iter().map(|used| video.seconds as f64 / used.wall.as_secs_f64()));
    let median = |runs: &[Used], figure: fn(&Used) -> Duration| {
        spread(runs.iter().map(|used| figure(used).as_secs_f64())).median
    };
    let (wall, processor) = (|used: &Used| used.wall, |used: &Used| used.processor);
    let times = |figure| median(&ours, figure) / median(&theirs, figure);
    table.add(Row {
        what: "(f) a video in three sizes, or ffmpeg alone".to_owned(),
        unit: "s/s",
        ours: speed(&ours),
        theirs: speed(&theirs),
        ratio: 1.0 / times(wall),
        by_cpu: Some(1.0 / times(processor)),
        goal: 1.0 / MAX_RATIO,
        notes: vec![
            format!(
                "{:.2} s against {:.2} s, {:.3} times; processor {:.2} s against {:.2} s, {:.3} times (goal: at most {MAX_RATIO})",
                median(&ours, wall),
                median(&theirs, wall),
                times(wall),
                median(&ours, processor),
                median(&theirs, processor),
                times(processor),
            ),
            format!(
                "{} s of 1280x720 confined by {layers}; from the end of the upload until it plays, including probe, \
                 poster and storage: {:.2} s",
                video.seconds,
                whole.as_secs_f64(),
            ),
        ],
    });
    Ok(())
}

/// Processes the video as the job does.
async fn in_confinement(media: &Media, input: &Path, probe: &Probe) -> Result<Used, BoxError> {
    let (started, before) = (Instant::now(), process::cpu_of_children()?);
    let rendered = media.render(input, DEMUXER, probe, "bench", &mut |_| ()).await?;
    let used =
        Used { wall: started.elapsed(), processor: process::cpu_of_children()?.saturating_sub(before) };
    if rendered.files().len() < 10 {
        return Err(format!("only {} files were written", rendered.files().len()).into());
    }
    Ok(used)
}

/// Runs the tool alone, in a separate folder containing the video.
fn alone(args: &[String], video: &SampleVideo, folder: &Path) -> Result<Used, BoxError> {
    let job = folder.join("alone");
    let output: PathBuf = job.join("output");
    fs::create_dir_all(&output)?;
    fs::hard_link(&video.path, job.join("in"))?;
    let before = process::cpu_of_children()?;
    let wall = process::timed(Command::new("ffmpeg").args(args).current_dir(&output))?;
    let used = Used { wall, processor: process::cpu_of_children()?.saturating_sub(before) };
    fs::remove_dir_all(job)?;
    Ok(used)
}
