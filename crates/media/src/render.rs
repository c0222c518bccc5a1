//! Makes a video or audio file playable in any browser: HLS in several sizes, a storyboard for the seek bar,
//! a waveform. One run of ffmpeg makes all of it, so the file is decoded once.
//!
//! Neither the tool's exit status nor its playlists are trusted: its output is inspected, the length is
//! compared with what the file claims, and every playlist that is served is written here.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;

use crate::command::{self, Plan};
use crate::isobmff::parse_init_segment;
use crate::job::{Job, OutputFile, RunLimits};
use crate::playlist::{Segment, Variant, lengths, master};
use crate::probe::first_line;
use crate::{Media, MediaError, Probe, Tone};

/// Largest playlist written by a tool, initialization segment or other small file, in bytes.
const TEXT_MAX: u64 = 16 << 20;
/// Bytes allowed on top of those that follow from the length and the bit rates.
const OUTPUT_SPARE: u64 = 256 << 20;
/// How much shorter than claimed a file may be: this many milliseconds, or one part in [`SHORT_PARTS`] of its
/// length.
const SHORT_MS: u64 = 1_000;
const SHORT_PARTS: u64 = 20;
/// Decoder errors that an intact file may have, and how many more for each minute.
const DECODER_ERRORS_MAX: u64 = 20;

/// Progress of the processing of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How much is done, 0 to 100.
    pub percent: u8,
    /// Estimated seconds left, if there is an estimate.
    pub seconds_left: Option<u64>,
}

/// Receives the progress about once a second.
pub type OnProgress<'a> = &'a mut (dyn FnMut(Progress) + Send);

/// What was made from a file. The files are removed when this is dropped.
pub struct Rendered {
    files: Vec<RenderedFile>,
    /// Length in milliseconds, measured by decoding the whole file.
    pub duration_ms: u64,
    /// True if a storyboard was made.
    pub storyboard: bool,
    /// True if a waveform was made.
    pub waveform: bool,
    _job: Job,
}

/// One of the files that were made.
pub struct RenderedFile {
    /// File name, such as `master.m3u8`, `720.m3u8`, `720-init.mp4`, `720-0.m4s` or `storyboard.jpg`.
    pub name: String,
    bytes: FileContent,
}

enum FileContent {
    Disk(PathBuf),
    Memory(Vec<u8>),
}

impl Rendered {
    /// Returns the files, playlists last.
    pub fn files(&self) -> &[RenderedFile] {
        &self.files
    }
}

impl RenderedFile {
    /// Returns the whole content; a segment has a few MiB at most.
    ///
    /// # Errors
    /// If the disk fails.
    pub async fn read(&self) -> std::io::Result<Vec<u8>> {
        match &self.bytes {
            FileContent::Disk(path) => tokio::fs::read(path).await,
            FileContent::Memory(bytes) => Ok(bytes.clone()),
        }
    }
}

impl Media {
    /// Makes the HLS renditions of a video or audio file and everything that belongs to them. `tag` becomes
    /// part of the URLs in the playlists, so that caches never confuse them with those of another processing
    /// run.
    ///
    /// # Errors
    /// [`MediaError::Damaged`] if the file contains less than it claims or much of it cannot be decoded,
    /// [`MediaError::Refused`] if it cannot be read at all, and errors for time, disk and missing tools.
    pub async fn render(
        &self,
        input: &Path,
        demuxer: &'static str,
        probe: &Probe,
        tag: &str,
        on_progress: OnProgress<'_>,
    ) -> Result<Rendered, MediaError> {
        self.ready()?;
        let Some(ffmpeg) = &self.inner.ffmpeg else {
            return Err(MediaError::Unavailable(self.missing().unwrap_or_default()));
        };
        let plan = self.plan(probe).await?;
        let job = Job::new(&self.inner, input).await?;
        let settings = &self.inner.settings;
        let mut progress_reader = ProgressReader::new(probe.duration_ms, on_progress);
        let output = {
            let mut on_line = |line: &str| progress_reader.line(line);
            let limits = RunLimits {
                cpu_seconds: settings.render_seconds.saturating_mul(u64::from(settings.render_threads)),
                wall_time: Duration::from_secs(settings.render_seconds),
                output_bytes: output_limit(&plan, probe, settings.render_seconds),
                on_line: Some(&mut on_line),
                ..RunLimits::from_settings(settings)
            };
            job.run_with(&self.inner, ffmpeg, &command::args(&plan, demuxer, settings), limits).await?
        };
        let decoder_errors = output.stderr.lines().filter(|line| is_decoder_error(line)).count() as u64;
        let mut rendered = collect_outputs(job, &plan, tag, &output.stderr).await?;
        rendered.duration_ms = rendered.duration_ms.max(1);
        let found = progress_reader.reached_ms.max(rendered.duration_ms);
        check_claims(probe, rendered.duration_ms, found, decoder_errors)?;
        Ok(rendered)
    }
}

impl Media {
    /// Returns the arguments with which [`Self::render`] runs ffmpeg on such a file, for measuring the
    /// overhead of the confinement and the work around it. Run in an empty folder, with the file as `../in`
    /// next to that folder, they produce the same segments, with the tool's playlists instead of ours.
    /// Returns `None` for a video without dimensions. Asks ffmpeg for its filters once if the video is HDR.
    pub fn render_args(&self, demuxer: &'static str, probe: &Probe) -> Option<Vec<String>> {
        let plan = Plan::of(probe, probe.tone != Tone::Standard && self.tone_maps())?;
        Some(command::args(&plan, demuxer, &self.inner.settings))
    }

    async fn plan(&self, probe: &Probe) -> Result<Plan, MediaError> {
        let can_tone_map = probe.tone != Tone::Standard && self.check_tone_maps().await?;
        Plan::of(probe, can_tone_map).ok_or_else(|| MediaError::Refused("it has no size".into()))
    }

    /// Does the same as [`Self::tone_maps`] without blocking the caller.
    pub(crate) async fn check_tone_maps(&self) -> Result<bool, MediaError> {
        let media = self.clone();
        Ok(spawn_blocking(move || media.tone_maps()).await.map_err(std::io::Error::other)?)
    }
}

/// Returns the bytes the outputs may have together.
fn output_limit(plan: &Plan, probe: &Probe, most_seconds: u64) -> u64 {
    let seconds = probe.duration_ms.map_or(most_seconds, |ms| ms / 1000 + 1);
    // A short peak may exceed its bit rate, but twice the rate over the whole length is too much.
    plan.kbit().saturating_mul(250).saturating_mul(seconds).saturating_add(OUTPUT_SPARE)
}

/// Returns true if a line reports that something could not be decoded.
fn is_decoder_error(line: &str) -> bool {
    ["error while decoding", "Error while decoding", "Invalid data found", "concealing", "corrupt"]
        .iter()
        .any(|words| line.contains(words))
}

/// Compares what was decoded with what the file claims. For a truncated file the tools exit with 0.
fn check_claims(probe: &Probe, video_ms: u64, found_ms: u64, decoder_errors: u64) -> Result<(), MediaError> {
    let short = |claimed: u64, found: u64| {
        let tolerated = SHORT_MS.max(claimed / SHORT_PARTS);
        found.saturating_add(tolerated) < claimed
    };
    let claims = [(probe.video_ms, video_ms), (probe.duration_ms, found_ms)];
    for (claimed, found) in claims {
        if let Some(claimed) = claimed.filter(|claimed| short(*claimed, found)) {
            return Err(MediaError::Damaged(format!("it claims {claimed} ms but contains {found} ms")));
        }
    }
    if decoder_errors > DECODER_ERRORS_MAX + found_ms / 60_000 * DECODER_ERRORS_MAX {
        return Err(MediaError::Damaged(format!("{decoder_errors} parts of it could not be decoded")));
    }
    Ok(())
}

/// Collects what the tool wrote and writes the playlists.
async fn collect_outputs(job: Job, plan: &Plan, tag: &str, stderr: &str) -> Result<Rendered, MediaError> {
    let names = plan.names();
    let known = names.clone();
    let outputs = job.results(move |name| is_expected(name, &known), u64::MAX).await?;
    let refused = || MediaError::Refused(first_line(stderr));
    let (mut files, mut variants, mut playlists) = (Vec::new(), Vec::new(), Vec::new());
    for name in &names {
        let variant = variant(plan, name, &outputs).await?.ok_or_else(refused)?;
        playlists.push(in_memory(format!("{name}.m3u8"), variant.playlist(tag)));
        variants.push(variant);
    }
    let mut storyboard = false;
    let mut waveform = false;
    for output in outputs {
        match output.name.as_str() {
            command::SHEET => {
                let jpeg = read_small(&output).await?;
                storyboard = crate::poster::is_complete_jpeg(&jpeg);
            }
            command::PEAKS => {
                let text = String::from_utf8_lossy(&read_small(&output).await?).into_owned();
                if let Some(json) = plan.waveform.and_then(|waveform| waveform.to_json(&text)) {
                    playlists.push(in_memory("waveform.json".into(), json));
                    waveform = true;
                }
                continue;
            }
            name if name.ends_with(".m3u8") => continue,
            _ => {}
        }
        files.push(RenderedFile { name: output.name, bytes: FileContent::Disk(output.path) });
    }
    if let Some(sheet) = plan.sheet.filter(|_| storyboard) {
        playlists.push(in_memory("storyboard.vtt".into(), sheet.vtt(&format!("{}?v={tag}", command::SHEET))));
    }
    playlists.push(in_memory("master.m3u8".into(), master(&variants, tag)));
    files.append(&mut playlists);
    let seconds = variants.first().map_or(0.0, Variant::seconds);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a sum of bounded lengths")]
    let duration_ms = (seconds * 1000.0).round() as u64;
    Ok(Rendered { files, duration_ms, storyboard, waveform, _job: job })
}

fn in_memory(name: String, text: String) -> RenderedFile {
    RenderedFile { name, bytes: FileContent::Memory(text.into_bytes()) }
}

/// Returns true if the tool was asked to write a file of this name.
fn is_expected(name: &str, variants: &[String]) -> bool {
    if [command::SHEET, command::PEAKS].contains(&name) {
        return true;
    }
    variants.iter().filter_map(|variant| name.strip_prefix(variant.as_str())).any(|rest| {
        let number = rest.strip_prefix('-').and_then(|rest| rest.strip_suffix(".m4s"));
        let counted = number.is_some_and(|digits| {
            (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        counted || matches!(rest, ".m3u8" | "-init.mp4")
    })
}

/// Reads one rendition. Returns `None` if it is incomplete.
async fn variant(plan: &Plan, name: &str, outputs: &[OutputFile]) -> Result<Option<Variant>, MediaError> {
    let find = |name: String| {
        outputs.binary_search_by(|output| output.name.as_str().cmp(&name)).ok().map(|at| &outputs[at])
    };
    let (Some(playlist), Some(init)) = (find(format!("{name}.m3u8")), find(format!("{name}-init.mp4")))
    else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&read_small(playlist).await?).into_owned();
    let (Some(lengths), Some(init_segment)) =
        (lengths(&text, name), parse_init_segment(&read_small(init).await?))
    else {
        return Ok(None);
    };
    let segments: Option<Vec<Segment>> = lengths
        .into_iter()
        .enumerate()
        .map(|(number, seconds)| {
            let bytes = find(format!("{name}-{number}.m4s"))?.bytes;
            (bytes > 0).then_some(Segment { seconds, bytes })
        })
        .collect();
    Ok(segments.map(|segments| Variant {
        name: name.to_owned(),
        rate: init_segment.size.map(|_| plan.rate.hertz()),
        codecs: init_segment.codecs,
        size: init_segment.size,
        segments,
    }))
}

async fn read_small(output: &OutputFile) -> Result<Vec<u8>, MediaError> {
    if output.bytes > TEXT_MAX {
        return Err(MediaError::OverLimit("output"));
    }
    Ok(tokio::fs::read(&output.path).await?)
}

/// What the running tool has reported.
struct ProgressReader<'a> {
    on_progress: OnProgress<'a>,
    length_ms: Option<u64>,
    began: Instant,
    /// Position in the video that the tool has reached.
    reached_ms: u64,
}

impl<'a> ProgressReader<'a> {
    fn new(length_ms: Option<u64>, on_progress: OnProgress<'a>) -> Self {
        Self { on_progress, length_ms: length_ms.filter(|ms| *ms > 0), began: Instant::now(), reached_ms: 0 }
    }

    /// Reads a line of `-progress`, which is `key=value`.
    fn line(&mut self, line: &str) {
        let Some(reached) = line.strip_prefix("out_time_us=").and_then(|text| text.parse::<u64>().ok())
        else {
            return;
        };
        self.reached_ms = self.reached_ms.max(reached / 1000);
        if let Some(progress) = estimate(self.reached_ms, self.length_ms, self.began.elapsed()) {
            (self.on_progress)(progress);
        }
    }
}

/// Estimates the progress and the time left. Returns `None` if the length is unknown.
fn estimate(reached_ms: u64, length_ms: Option<u64>, elapsed: Duration) -> Option<Progress> {
    let length_ms = length_ms?;
    let reached_ms = reached_ms.min(length_ms);
    // The last percent is for the work after the tool.
    let percent = u8::try_from((reached_ms * 100 / length_ms).min(99)).unwrap_or(99);
    let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let left_ms = elapsed_ms.saturating_mul(length_ms - reached_ms).checked_div(reached_ms);
    // Below one percent there is too little data for an estimate.
    let seconds_left = left_ms.filter(|_| percent > 0).map(|ms| ms.div_ceil(1000));
    Some(Progress { percent, seconds_left })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_requested_files_are_expected() {
        let variants = ["720".to_owned(), "audio".to_owned()];
        for good in ["720.m3u8", "720-init.mp4", "720-0.m4s", "audio-12.m4s", "storyboard.jpg", "peaks.txt"] {
            assert!(is_expected(good, &variants), "{good}");
        }
        for bad in
            ["480.m3u8", "720-.m4s", "720-a.m4s", "720-1234567.m4s", "master.m3u8", "in", "720-0.m4s.tmp"]
        {
            assert!(!is_expected(bad, &variants), "{bad}");
        }
    }

    #[test]
    fn a_file_that_contains_less_than_it_claims_is_damaged() {
        let probe = Probe { duration_ms: Some(600_000), video_ms: Some(600_000), ..Probe::default() };
        assert!(check_claims(&probe, 600_000, 600_000, 0).is_ok());
        assert!(check_claims(&probe, 575_000, 575_000, 0).is_ok(), "the difference is within the tolerance");
        assert!(matches!(check_claims(&probe, 5_000, 5_000, 0), Err(MediaError::Damaged(_))));
        assert!(matches!(check_claims(&probe, 5_000, 600_000, 0), Err(MediaError::Damaged(_))), "no video");
        assert!(matches!(check_claims(&probe, 600_000, 600_000, 500), Err(MediaError::Damaged(_))), "noise");
        let open = Probe::default();
        assert!(check_claims(&open, 5_000, 5_000, 3).is_ok(), "it claims no length");
    }

    #[test]
    fn the_rest_takes_as_long_as_the_beginning_did() {
        let after =
            |reached, seconds| estimate(reached, Some(100_000), Duration::from_secs(seconds)).unwrap();
        assert_eq!(after(25_000, 10), Progress { percent: 25, seconds_left: Some(30) });
        assert_eq!(after(0, 10), Progress { percent: 0, seconds_left: None });
        assert_eq!(after(500_000, 10), Progress { percent: 99, seconds_left: Some(0) });
        assert_eq!(estimate(5, None, Duration::from_secs(1)), None);
    }
}
