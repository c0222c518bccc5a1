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

use super::{Announced, Desk};

/// Number of kills at each step.
const TIMES: u32 = 20;
/// Videos processed at the same time, so that one kill hits several steps.
pub(super) const FILMS: usize = 2;
/// Kills while the same videos are processed: one less than a job has attempts, with one to spare.
const KILLS: u32 = 3;
/// After this time something hangs.
const PATIENCE: Duration = Duration::from_secs(120);
/// Polling interval.
const LOOK: Duration = Duration::from_millis(2);

/// Current processing step of a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Probe,
    Poster,
    /// Segments are being written.
    Render,
    /// The thumbnails for the seek bar exist, but the tool has not finished.
    Sheet,
    /// The output is being stored.
    Store,
    /// The output is stored, and is about to be published or has just been.
    Publish,
}

const STEPS: [Step; 6] = [Step::Probe, Step::Poster, Step::Render, Step::Sheet, Step::Store, Step::Publish];

struct Film {
    uid: String,
    /// Folder with the video's files.
    folder: PathBuf,
    /// Inode of the uploaded file.
    source: u64,
    is_ready: bool,
}

struct Run {
    desk: Desk,
    /// Folders left by earlier kills.
    dead: HashSet<PathBuf>,
}

/// Returns a video that is rendered in two sizes, with audio.
fn film() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
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

impl Run {
    async fn start() -> Self {
        Self { desk: Desk::open(film()).await, dead: HashSet::new() }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.desk.program.folder.path().join(path)
    }

    async fn upload(&self) -> Film {
        let Announced { uid, ingest } = self.desk.announce("f.mp4", "video/mp4").await;
        let put = self.desk.program.http.put(ingest);
        let put = put.header("content-type", "video/mp4").body(self.desk.bytes.clone());
        assert_eq!(put.send().await.unwrap().status(), 200);
        let simple = |uid: &str| uid.replace('-', "");
        let folder = self.at("objects/content").join(simple(&self.desk.org)).join(simple(&uid));
        let source = fs::metadata(folder.join(format!("source-{}", simple(&uid)))).unwrap().ino();
        Film { uid, folder, source, is_ready: false }
    }

    async fn content(&self, film: &Film) -> Value {
        self.desk.get(&format!("/v1/content/{}", film.uid)).await
    }

    async fn bytes_of(&self, url: &str) -> Vec<u8> {
        let answer = self.desk.program.http.get(url).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{url}");
        answer.bytes().await.unwrap().into()
    }

    /// Returns the folders of finished and running processing runs of a video.
    fn makings(&self, film: &Film) -> Vec<PathBuf> {
        let all = names(&film.folder).into_iter().filter(|name| name.starts_with("made-"));
        all.map(|name| film.folder.join(name)).filter(|folder| !self.dead.contains(folder)).collect()
    }

    /// Returns the working folders of the tools processing a video.
    fn jobs(&self, film: &Film) -> Vec<PathBuf> {
        let all = names(&self.at("work")).into_iter().map(|name| self.at("work").join(name));
        let its = |job: &PathBuf| fs::metadata(job.join("in")).is_ok_and(|meta| meta.ino() == film.source);
        all.filter(|job| !self.dead.contains(job) && its(job)).collect()
    }

    /// Returns the current step of a video, judging by the files on disk.
    fn step(&self, film: &Film) -> Option<Step> {
        if film.is_ready {
            return None;
        }
        if let Some(making) = self.makings(film).first() {
            let stored = names(making).iter().any(|name| name == "master.m3u8");
            return Some(if stored { Step::Publish } else { Step::Store });
        }
        let jobs = self.jobs(film);
        let job = jobs.first()?;
        let room = names(&job.join("room"));
        if room.iter().any(|name| name == "storyboard.jpg") {
            return Some(Step::Sheet);
        }
        let group = fs::read_to_string(job.join("group")).ok()?;
        let said = fs::read(format!("/proc/{}/cmdline", group.split(' ').next()?)).ok()?;
        let said = String::from_utf8_lossy(&said);
        match () {
            () if said.contains("ffprobe") => Some(Step::Probe),
            () if said.contains("-progress") => Some(Step::Render),
            () if said.contains("ffmpeg") => Some(Step::Poster),
            () => None,
        }
    }

    /// Kills the server as soon as a video reaches the step, and returns the step of each video. Returns
    /// `None` if all were finished before.
    async fn kill_at(&mut self, step: Step, films: &[Film]) -> Option<Vec<Step>> {
        let (began, mut looks) = (Instant::now(), 0_u32);
        while !films.iter().any(|film| self.step(film) == Some(step)) {
            looks += 1;
            if looks.is_multiple_of(100) {
                if self.unready(films).await == 0 {
                    return None;
                }
                assert!(began.elapsed() < PATIENCE, "no video reached {step:?}");
            }
            tokio::time::sleep(LOOK).await;
        }
        self.desk.program.kill();
        let met = films.iter().filter_map(|film| self.step(film)).collect();
        for film in films {
            let left = [self.makings(film), self.jobs(film)].concat();
            self.dead.extend(left);
        }
        self.desk.program.restart();
        Some(met)
    }

    async fn unready(&self, films: &[Film]) -> usize {
        let mut count = 0;
        for film in films {
            let content = self.content(film).await;
            assert_ne!(content["processing"], "failed", "{content}");
            count += usize::from(content["processing"] != "done");
        }
        count
    }

    /// Checks that the visible parts of a video are complete and its original is intact; returns whether the
    /// video is ready.
    async fn is_ready(&self, film: &Film) -> bool {
        let content = self.content(film).await;
        let text = |name: &str| content[name].as_str().unwrap().to_owned();
        assert!(self.bytes_of(&text("url")).await == self.desk.bytes, "the original has changed");
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
        let pieces = self.pieces(&text("hlsUrl")).await;
        // Two sizes, each with an init segment and one media segment.
        assert_eq!(pieces, 4, "{content}");
        assert!(self.pieces(&text("storyboardUrl")).await > 0);
        true
    }

    /// Fetches a playlist and everything it references, and returns the number of files that are not
    /// playlists.
    async fn pieces(&self, url: &str) -> usize {
        let (mut next, mut seen, mut pieces) = (vec![url.to_owned()], HashSet::new(), 0);
        while let Some(url) = next.pop() {
            if !seen.insert(url.clone()) {
                continue;
            }
            let bytes = self.bytes_of(&url).await;
            if !(url.contains(".m3u8") || url.contains(".vtt")) {
                assert!(!bytes.is_empty(), "{url}");
                pieces += 1;
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
        pieces
    }

    /// Advances the sandbox clock.
    async fn pass(&self, days: f64) {
        self.desk.program.call(Method::POST, "/sandbox/api/clock", "", json!({ "advanceDays": days })).await;
    }

    async fn until_ready(&self, films: &[Film]) {
        let began = Instant::now();
        while self.unready(films).await > 0 {
            assert!(began.elapsed() < PATIENCE, "the videos are never ready");
            tokio::time::sleep(LOOK * 25).await;
        }
        // What an interrupted run left is removed a minute later.
        self.pass(0.000_71).await;
        for film in films {
            assert!(self.is_ready(film).await);
            let makings = || names(&film.folder).iter().filter(|name| name.starts_with("made-")).count();
            while makings() != 1 {
                assert!(began.elapsed() < PATIENCE, "{:?}", names(&film.folder));
                tokio::time::sleep(LOOK * 25).await;
            }
        }
    }
}

/// Kills the server until each step was hit `times` times; returns the hits per step and the number of kills.
async fn killed(times: u32) -> (BTreeMap<Step, u32>, u32) {
    let mut run = Run::start().await;
    let mut met: BTreeMap<Step, u32> = STEPS.map(|step| (step, 0)).into();
    let (mut kills, mut signed_in) = (0, 0);
    while met.values().any(|count| *count < times) {
        let mut films = Vec::new();
        for _ in 0..FILMS {
            films.push(run.upload().await);
        }
        for _ in 0..KILLS {
            let rarest = *met.iter().min_by_key(|(_, count)| **count).unwrap().0;
            let Some(steps) = run.kill_at(rarest, &films).await else { break };
            kills += 1;
            steps.into_iter().for_each(|step| *met.entry(step).or_default() += 1);
            for film in &mut films {
                film.is_ready = run.is_ready(film).await;
            }
            // The lease of a killed worker expires after a minute.
            run.pass(0.000_71).await;
        }
        run.until_ready(&films).await;
        // A token is valid for an hour of the advanced clock, and an address may receive five emails in that
        // time.
        if kills - signed_in >= 20 {
            run.desk.token = run.desk.program.sign_in("ada@example.com").await;
            signed_in = kills;
        }
        assert!(kills < 500, "{met:?}");
    }
    // The hourly job removes what is older than a day.
    run.pass(2.0).await;
    let began = Instant::now();
    loop {
        let left = [names(&run.at("work")), names(&run.at("objects/staging"))].concat();
        if left.is_empty() {
            return (met, kills);
        }
        assert!(began.elapsed() < PATIENCE, "{left:?}");
        tokio::time::sleep(LOOK * 25).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn films_whose_worker_is_killed_at_any_step_end_ready_and_are_never_seen_half() {
    // Two programs in parallel, because much of the time is spent waiting.
    let runs = [tokio::spawn(killed(TIMES / 2)), tokio::spawn(killed(TIMES / 2))];
    for run in runs {
        println!("{:?}", run.await.unwrap());
    }
}
