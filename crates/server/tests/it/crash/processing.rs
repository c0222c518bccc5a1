//! The program, killed at every step of processing videos: each video is ready in the end, no partial result
//! is ever visible, and nothing is left behind.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::{Announced, Uploader};

/// Number of kills at each step by each of two programs, and the same with `VITRINE_TEST_LONG=1`.
const KILLS_PER_STEP: u32 = 2;
const LONG_KILLS_PER_STEP: u32 = 10;
/// Videos processed at the same time, so that one kill hits several steps.
pub(super) const VIDEOS: usize = 2;
/// Kills while the same videos are processed: one less than a job has attempts, with one to spare.
const KILLS_PER_UPLOAD: u32 = 3;
/// Rounds of uploads after which a step is not recognised any more.
const UPLOADS_MAX: u32 = 200;
/// After this time something hangs.
const TIMEOUT: Duration = Duration::from_mins(2);
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Current processing step of a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Probe,
    Poster,
    /// Segments are being written.
    Render,
    /// The thumbnails for the seek bar exist, but the tool has not finished.
    Storyboard,
    /// The output is being stored.
    Store,
    /// The output is stored, and is about to be published or has just been.
    Publish,
}

const STEPS: [Step; 6] =
    [Step::Probe, Step::Poster, Step::Render, Step::Storyboard, Step::Store, Step::Publish];

struct Video {
    uid: String,
    /// Folder with the video's files.
    folder: PathBuf,
    /// Inode of the uploaded file.
    source: u64,
    is_ready: bool,
}

struct TestRun {
    uploader: Uploader,
    /// Folders left by earlier kills.
    stale: HashSet<PathBuf>,
}

/// Returns a video that is rendered in two sizes, with audio.
fn make_video() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("video.mp4");
    let made = Command::new("ffmpeg")
        .args("-nostdin -v error -f lavfi -i testsrc=size=640x480:rate=5 -f lavfi -i sine -t 2".split(' '))
        .args("-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac".split(' '))
        .arg(&path)
        .status()
        .unwrap();
    assert!(made.success());
    fs::read(path).unwrap()
}

/// Returns the names in a folder, or nothing if it does not exist.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

impl TestRun {
    async fn start() -> Self {
        Self { uploader: Uploader::open(make_video()).await, stale: HashSet::new() }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.uploader.app.folder.path().join(path)
    }

    async fn upload(&self) -> Video {
        let Announced { uid, ingest } = self.uploader.announce("f.mp4", "video/mp4").await;
        let put = self.uploader.app.http.put(ingest);
        let put = put.header("content-type", "video/mp4").body(self.uploader.bytes.clone());
        assert_eq!(put.send().await.unwrap().status(), 200);
        let simple = |uid: &str| uid.replace('-', "");
        let folder = self.at("objects/content").join(simple(&self.uploader.org)).join(simple(&uid));
        let source = fs::metadata(folder.join(format!("source-{}", simple(&uid)))).unwrap().ino();
        Video { uid, folder, source, is_ready: false }
    }

    async fn content(&self, video: &Video) -> Value {
        self.uploader.get(&format!("/v1/content/{}", video.uid)).await
    }

    async fn bytes_of(&self, url: &str) -> Vec<u8> {
        let response = self.uploader.app.http.get(url).send().await.unwrap();
        assert_eq!(response.status(), 200, "{url}");
        response.bytes().await.unwrap().into()
    }

    /// Returns the folders of finished and running processing runs of a video.
    fn run_folders(&self, video: &Video) -> Vec<PathBuf> {
        let all = names(&video.folder).into_iter().filter(|name| name.starts_with("made-"));
        all.map(|name| video.folder.join(name)).filter(|folder| !self.stale.contains(folder)).collect()
    }

    /// Returns the working folders of the tools processing a video.
    fn work_folders(&self, video: &Video) -> Vec<PathBuf> {
        let all = names(&self.at("work")).into_iter().map(|name| self.at("work").join(name));
        let is_of_video =
            |job: &PathBuf| fs::metadata(job.join("in")).is_ok_and(|meta| meta.ino() == video.source);
        all.filter(|job| !self.stale.contains(job) && is_of_video(job)).collect()
    }

    /// Returns the current step of a video, judging by the files on disk.
    fn step(&self, video: &Video) -> Option<Step> {
        if video.is_ready {
            return None;
        }
        if let Some(run_folder) = self.run_folders(video).first() {
            let stored = names(run_folder).iter().any(|name| name == "master.m3u8");
            return Some(if stored { Step::Publish } else { Step::Store });
        }
        let jobs = self.work_folders(video);
        let job = jobs.first()?;
        let outputs = names(&job.join("output"));
        if outputs.iter().any(|name| name == "storyboard.jpg") {
            return Some(Step::Storyboard);
        }
        let group = fs::read_to_string(job.join("group")).ok()?;
        let command_line = fs::read(format!("/proc/{}/cmdline", group.split(' ').next()?)).ok()?;
        let command_line = String::from_utf8_lossy(&command_line);
        match () {
            () if command_line.contains("ffprobe") => Some(Step::Probe),
            () if command_line.contains("-progress") => Some(Step::Render),
            () if command_line.contains("ffmpeg") => Some(Step::Poster),
            () => None,
        }
    }

    /// Kills the server as soon as a video reaches the step, and returns the step of each video. Returns
    /// `None` if all were finished before.
    async fn kill_at(&mut self, step: Step, videos: &[Video]) -> Option<Vec<Step>> {
        let (started, mut polls) = (Instant::now(), 0_u32);
        while !videos.iter().any(|video| self.step(video) == Some(step)) {
            polls += 1;
            if polls.is_multiple_of(100) {
                if self.unready(videos).await == 0 {
                    return None;
                }
                assert!(started.elapsed() < TIMEOUT, "no video reached {step:?}");
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        self.uploader.app.kill();
        let hits = videos.iter().filter_map(|video| self.step(video)).collect();
        for video in videos {
            let left = [self.run_folders(video), self.work_folders(video)].concat();
            self.stale.extend(left);
        }
        self.uploader.app.restart();
        Some(hits)
    }

    async fn unready(&self, videos: &[Video]) -> usize {
        let mut count = 0;
        for video in videos {
            let content = self.content(video).await;
            assert_ne!(content["processing"], "failed", "{content}");
            count += usize::from(content["processing"] != "done");
        }
        count
    }

    /// Checks that the visible parts of a video are complete and its original is intact; returns whether the
    /// video is ready.
    async fn is_ready(&self, video: &Video) -> bool {
        let content = self.content(video).await;
        let text = |name: &str| content[name].as_str().unwrap().to_owned();
        assert!(self.bytes_of(&text("url")).await == self.uploader.bytes, "the original has changed");
        if !text("previewUrl").is_empty() {
            let poster = self.bytes_of(&text("previewUrl")).await;
            assert!(poster.starts_with(&[0xff, 0xd8]) && poster.ends_with(&[0xff, 0xd9]));
        }
        if content["processing"] != "done" {
            assert!(["queued", "running"].iter().any(|state| content["processing"] == *state), "{content}");
            assert_eq!((text("hlsUrl"), text("storyboardUrl")), (String::new(), String::new()));
            return false;
        }
        assert_eq!(content["durationMs"], 2000);
        assert!(!text("previewUrl").is_empty());
        let media_files = self.media_files(&text("hlsUrl")).await;
        // Two sizes, each with an init segment and one media segment.
        assert_eq!(media_files, 4, "{content}");
        assert!(self.media_files(&text("storyboardUrl")).await > 0);
        true
    }

    /// Fetches a playlist and everything it references, and returns the number of files that are not
    /// playlists.
    async fn media_files(&self, url: &str) -> usize {
        let (mut next, mut seen, mut media_files) = (vec![url.to_owned()], HashSet::new(), 0);
        while let Some(url) = next.pop() {
            if !seen.insert(url.clone()) {
                continue;
            }
            let bytes = self.bytes_of(&url).await;
            if !(url.contains(".m3u8") || url.contains(".vtt")) {
                assert!(!bytes.is_empty(), "{url}");
                media_files += 1;
                continue;
            }
            let text = String::from_utf8(bytes).unwrap();
            assert!(url.contains(".vtt") || text.contains("#EXT-X-INDEPENDENT-SEGMENTS"), "{text}");
            let folder = url.rsplit_once('/').unwrap().0;
            let inner =
                text.lines().filter_map(|line| Some(line.split_once("URI=\"")?.1.trim_end_matches('"')));
            let plain = text.lines().filter(|line| line.contains("?v=") && !line.starts_with('#'));
            let named = inner.chain(plain).map(|name| name.split('#').next().unwrap());
            next.extend(named.map(|name| format!("{folder}/{name}")));
        }
        media_files
    }

    /// Advances the sandbox clock.
    async fn advance_days(&self, days: f64) {
        self.uploader.app.call(Method::POST, "/sandbox/api/clock", "", json!({ "advanceDays": days })).await;
    }

    async fn until_ready(&self, videos: &[Video]) {
        let started = Instant::now();
        while self.unready(videos).await > 0 {
            assert!(started.elapsed() < TIMEOUT, "the videos are never ready");
            tokio::time::sleep(POLL_INTERVAL * 25).await;
        }
        // What an interrupted run left is removed a minute later.
        self.advance_days(0.000_71).await;
        for video in videos {
            assert!(self.is_ready(video).await);
            let run_folders = || names(&video.folder).iter().filter(|name| name.starts_with("made-")).count();
            while run_folders() != 1 {
                assert!(started.elapsed() < TIMEOUT, "{:?}", names(&video.folder));
                tokio::time::sleep(POLL_INTERVAL * 25).await;
            }
        }
    }
}

/// Kills the server until each step was hit `times` times; returns the hits per step and the number of kills.
async fn killed(times: u32) -> (BTreeMap<Step, u32>, u32) {
    let mut run = TestRun::start().await;
    let mut hits: BTreeMap<Step, u32> = STEPS.map(|step| (step, 0)).into();
    let (mut kills, mut minutes, mut uploads) = (0, 0, 0);
    while hits.values().any(|count| *count < times) {
        uploads += 1;
        assert!(uploads < UPLOADS_MAX, "steps that are never seen: {hits:?}");
        let mut videos = Vec::new();
        for _ in 0..VIDEOS {
            videos.push(run.upload().await);
        }
        for _ in 0..KILLS_PER_UPLOAD {
            let rarest = *hits.iter().min_by_key(|(_, count)| **count).unwrap().0;
            let Some(steps) = run.kill_at(rarest, &videos).await else { break };
            kills += 1;
            steps.into_iter().for_each(|step| *hits.entry(step).or_default() += 1);
            for video in &mut videos {
                video.is_ready = run.is_ready(video).await;
            }
            // The lease of a killed worker expires after a minute.
            run.advance_days(0.000_71).await;
            minutes += 1;
        }
        run.until_ready(&videos).await;
        // A token is valid for an hour of the advanced clock, and an address may receive five emails in that
        // time.
        minutes += 1;
        if minutes >= 20 {
            run.uploader.token = run.uploader.app.sign_in("ada@example.com").await;
            minutes = 0;
        }
        assert!(kills < 500, "{hits:?}");
    }
    // The hourly job removes what is older than a day.
    run.advance_days(2.0).await;
    let started = Instant::now();
    loop {
        let left = [names(&run.at("work")), names(&run.at("objects/staging"))].concat();
        if left.is_empty() {
            return (hits, kills);
        }
        assert!(started.elapsed() < TIMEOUT, "{left:?}");
        tokio::time::sleep(POLL_INTERVAL * 25).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn videos_whose_worker_is_killed_at_any_step_become_ready_and_are_never_partly_visible() {
    // Two programs in parallel, because much of the time is spent waiting.
    let long = std::env::var_os("VITRINE_TEST_LONG").is_some();
    let times = if long { LONG_KILLS_PER_STEP } else { KILLS_PER_STEP };
    for run in [tokio::spawn(killed(times)), tokio::spawn(killed(times))] {
        println!("{:?}", run.await.unwrap());
    }
}
