//! (f) A video processed in confinement as the job does it, against ffmpeg alone with the same arguments.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use media::{Media, MediaSettings, Probe};

use crate::Failure;
use crate::film::Film;
use crate::house::Server;
use crate::process::{self, spread};
use crate::seed::Town;
use crate::table::{Row, Table};

const ROUNDS: usize = 3;
/// Maximum ratio to the time of ffmpeg alone.
const MOST: f64 = 1.05;
const DEMUXER: &str = "mov";

/// Resources used by one run.
#[derive(Clone, Copy)]
struct Used {
    wall: Duration,
    processor: Duration,
}

/// Runs both in turn on the core of the load; then the server's complete job.
pub async fn measure(table: &mut Table, server: &Server, town: &Town, folder: &Path) -> Result<(), Failure> {
    let film = Film::make(folder)?;
    // The sandbox uses the same setting.
    let settings = MediaSettings { without_walls: true, ..MediaSettings::default() };
    let media = Media::open(settings, &folder.join("work"))?;
    let walls = media.walls().standing().to_string();
    let probe = media.probe(&film.path, DEMUXER).await?;
    let args = media.render_args(DEMUXER, &probe).ok_or("the video has no dimensions")?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(behind_walls(&media, &film.path, &probe).await?);
        theirs.push(alone(&args, &film, folder)?);
    }
    let whole = film.made_by(server, town).await?.took;
    let speed = |runs: &[Used]| spread(runs.iter().map(|used| film.seconds as f64 / used.wall.as_secs_f64()));
    let middle = |runs: &[Used], figure: fn(&Used) -> Duration| {
        spread(runs.iter().map(|used| figure(used).as_secs_f64())).median
    };
    let (wall, processor) = (|used: &Used| used.wall, |used: &Used| used.processor);
    let times = |figure| middle(&ours, figure) / middle(&theirs, figure);
    table.add(Row {
        what: "(f) a video in three sizes, or ffmpeg alone".to_owned(),
        unit: "s/s",
        ours: speed(&ours),
        theirs: speed(&theirs),
        ratio: 1.0 / times(wall),
        by_cpu: Some(1.0 / times(processor)),
        goal: 1.0 / MOST,
        notes: vec![
            format!(
                "{:.2} s against {:.2} s, {:.3} times; processor {:.2} s against {:.2} s, {:.3} times (goal: at most {MOST})",
                middle(&ours, wall),
                middle(&theirs, wall),
                times(wall),
                middle(&ours, processor),
                middle(&theirs, processor),
                times(processor),
            ),
            format!(
                "{} s of 1280x720 confined by {walls}; from the end of the upload until it plays, including probe, \
                 poster and storage: {:.2} s",
                film.seconds,
                whole.as_secs_f64(),
            ),
        ],
    });
    Ok(())
}

/// Processes the video as the job does.
async fn behind_walls(media: &Media, input: &Path, probe: &Probe) -> Result<Used, Failure> {
    let (began, before) = (Instant::now(), process::cpu_of_children()?);
    let rendered = media.render(input, DEMUXER, probe, "bench", &mut |_| ()).await?;
    let used = Used { wall: began.elapsed(), processor: process::cpu_of_children()?.saturating_sub(before) };
    if rendered.files().len() < 10 {
        return Err(format!("only {} files were written", rendered.files().len()).into());
    }
    Ok(used)
}

/// Runs the tool alone, in a separate folder containing the video.
fn alone(args: &[String], film: &Film, folder: &Path) -> Result<Used, Failure> {
    let place = folder.join("alone");
    let room: PathBuf = place.join("room");
    fs::create_dir_all(&room)?;
    fs::hard_link(&film.path, place.join("in"))?;
    let before = process::cpu_of_children()?;
    let wall = process::timed(Command::new("ffmpeg").args(args).current_dir(&room))?;
    let used = Used { wall, processor: process::cpu_of_children()?.saturating_sub(before) };
    fs::remove_dir_all(place)?;
    Ok(used)
}
