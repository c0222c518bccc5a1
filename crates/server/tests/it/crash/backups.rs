//! Backups of a server that is being written to, some of them killed: each that is complete can be restored and has everything
//! that was acknowledged before it, and a killed one leaves nothing that counts as a backup.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::super::backup::installation::count;
use super::{TestApp, Uploader, hide_test_settings};

/// Backups in `make test`, and how long they are made in `make test-long` if `VITRINE_TEST_BACKUPS` does not say how many.
const SHORT: u64 = 4;
const LONG: Duration = Duration::from_mins(6);
/// Every second backup is killed.
const KILL_EVERY: u64 = 2;
/// Every eighth complete backup is a tar file.
const TAR_EVERY: u64 = 8;
/// How many stay in the place, so that old ones are removed under load too.
const KEEP: &str = "3";
/// Files that the writers leave; older ones are deleted, unless they have been there for less than some backups: a file that is
/// deleted before a backup has copied what it found a moment ago makes that backup read the rows again, at most a few times.
const FILES: usize = 80;
const BACKUPS_KEPT: u32 = 4;
/// Pause between two writes, for each fifty backups: otherwise many backups of ever more rows would take hours.
const PAUSE: Duration = Duration::from_millis(60);
const PAUSE_PER: u64 = 50;
const WRITERS: usize = 2;
/// Files that are there from the beginning.
const OLD_FILES: u64 = 6;

/// What the writers have done.
#[derive(Default)]
struct Written {
    stop: AtomicBool,
    playlists: Mutex<Vec<String>>,
    files: AtomicU64,
    /// How long the last backup took.
    backup: Mutex<Duration>,
}

/// Returns how many backups are asked for.
fn asked() -> Option<u64> {
    std::env::var("VITRINE_TEST_BACKUPS").ok().map(|number| number.parse().unwrap())
}

/// Creates an item with a file, and returns its id.
async fn upload(uploader: &Uploader) -> String {
    let announced = uploader.announce("a.bin", "application/octet-stream").await;
    let put = uploader.app.http.put(&announced.ingest).header("content-type", "application/octet-stream");
    assert_eq!(put.body(uploader.bytes.clone()).send().await.unwrap().status(), 200);
    announced.uid
}

/// Creates playlists and items with files, and deletes old items, until told to stop.
async fn write(uploader: &Uploader, written: &Written) {
    let mut items = VecDeque::new();
    let pause = PAUSE * u32::try_from((asked().unwrap_or_default() / PAUSE_PER).max(1)).unwrap();
    while !written.stop.load(Ordering::Relaxed) {
        let item = upload(uploader).await;
        written.files.fetch_add(1, Ordering::Relaxed);
        let new = json!({ "playlist": { "title": "P" }, "orgId": uploader.org });
        let made = uploader.app.call(Method::POST, "/v1/playlists", &uploader.token, new).await;
        written.playlists.lock().unwrap().push(made["uid"].as_str().unwrap().to_owned());
        items.push_back((Instant::now(), item));
        let kept = *written.backup.lock().unwrap() * BACKUPS_KEPT;
        while items.len() > FILES / WRITERS && items[0].0.elapsed() > kept {
            let oldest = format!("/v1/content/{}?permanent=true", items.pop_front().unwrap().1);
            uploader.app.call(Method::DELETE, &oldest, &uploader.token, Value::Null).await;
        }
        tokio::time::sleep(pause).await;
    }
}

/// Runs a command of the program on a data folder.
fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vitrine"));
    hide_test_settings(&mut command);
    command
        .args(args)
        .current_dir(folder)
        .env("VITRINE_SANDBOX", "true")
        .env("VITRINE_BILLING", "none")
        .env("VITRINE_DATA_DIR", folder)
        .env("VITRINE_METRICS_LISTEN", "")
        .env("VITRINE_LOG", "warn")
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs a command to its end, without blocking the writers.
async fn output(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{output:?}");
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What the run has seen.
#[derive(Debug, Default)]
struct Seen {
    made: u64,
    killed: u64,
    /// Killed ones that were complete, because the kill hit the removal of old ones.
    complete_when_killed: u64,
    restored: u64,
    acknowledged: usize,
}

struct Run {
    place: PathBuf,
    folder: tempfile::TempDir,
    /// How long a backup takes.
    whole: Duration,
    /// The files of the first backup.
    first_files: BTreeMap<PathBuf, u64>,
    seen: Seen,
}

/// Returns the files below a folder with their inodes.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.insert(path, entry.metadata().unwrap().ino());
        }
    }
    found
}

impl Run {
    fn backup_args(&self) -> [String; 5] {
        ["--to", self.place.to_str().unwrap(), "--keep", KEEP, "--json"].map(str::to_owned)
    }

    fn start(&self, app: &TestApp) -> Child {
        let args = self.backup_args();
        let args: Vec<&str> = ["backup"].into_iter().chain(args.iter().map(String::as_str)).collect();
        command(app.folder.path(), &args).spawn().unwrap()
    }

    /// Returns the names of the backups that can be restored.
    async fn whole_ones(&self, app: &TestApp) -> BTreeSet<String> {
        let list = ["backup", "--list", "--json", "--to", self.place.to_str().unwrap()];
        let listed = lines(&output(command(app.folder.path(), &list)).await);
        let backups = listed.iter().filter(|line| line["line"] == "backup");
        let mut whole = BTreeSet::new();
        for one in backups {
            assert_ne!(one["state"], "unreadable", "{one}");
            if one["state"] == "whole" {
                whole.insert(one["name"].as_str().unwrap().to_owned());
            }
        }
        whole
    }

    /// Makes a backup in the place, or every so often a tar file. Returns what to restore.
    async fn make(&mut self, app: &TestApp) -> PathBuf {
        let is_tar = self.seen.made % TAR_EVERY == TAR_EVERY - 1;
        let tar = self.folder.path().join(format!("{}.tar", self.seen.made));
        let began = Instant::now();
        let args: Vec<String> = if is_tar {
            vec![tar.to_str().unwrap().to_owned(), "--json".to_owned()]
        } else {
            self.backup_args().to_vec()
        };
        let args: Vec<&str> = ["backup"].into_iter().chain(args.iter().map(String::as_str)).collect();
        assert_eq!(lines(&output(command(app.folder.path(), &args)).await)[0]["line"], "saved");
        self.seen.made += 1;
        if is_tar {
            return tar;
        }
        self.whole = began.elapsed();
        if self.first_files.is_empty() {
            self.first_files = files_below(&self.place.join("objects"));
        }
        self.place.clone()
    }

    /// Kills a backup with SIGKILL at a moment that differs from round to round.
    async fn kill_one(&mut self, app: &TestApp, round: u64) {
        let before = self.whole_ones(app).await;
        let mut child = self.start(app);
        // The golden ratio spreads the moments evenly.
        let share = (round as f64 * 0.618_034).fract();
        tokio::time::sleep(self.whole.mul_f64(share)).await;
        let is_running = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        let after = self.whole_ones(app).await;
        let new = after.difference(&before).count() as u64;
        assert!(new <= 1 && !after.is_empty(), "{before:?}, then {after:?}");
        if is_running {
            self.seen.killed += 1;
            self.seen.complete_when_killed += new;
        }
    }

    /// Restores a backup elsewhere. Nothing may be found, and every playlist must be there.
    async fn restore(&mut self, app: &TestApp, source: &Path, acknowledged: &[String]) {
        let copy = self.folder.path().join("copy");
        std::fs::create_dir(&copy).unwrap();
        std::fs::copy(app.folder.path().join("secret"), copy.join("secret")).unwrap();
        let restored = output(command(&copy, &["restore", source.to_str().unwrap()])).await;
        let text = String::from_utf8_lossy(&restored.stdout);
        assert!(restored.status.success() && text.ends_with("nothing found\n"), "{restored:?}");
        let url = format!("sqlite://{}", copy.join("vitrine.db").display());
        let db = db::Db::connect(&url).await.unwrap();
        for uid in acknowledged {
            let sql = format!("SELECT COUNT(*) FROM playlist WHERE uid = X'{}'", uid.replace('-', ""));
            assert_eq!(count(&db, &sql).await, 1, "{uid} was acknowledged");
        }
        db.close().await;
        std::fs::remove_dir_all(&copy).unwrap();
        if source != self.place {
            std::fs::remove_file(source).unwrap();
        }
        self.seen.restored += 1;
        self.seen.acknowledged = acknowledged.len();
    }

    /// Makes backups until enough were made, of which every second one is preceded by a killed one.
    async fn rounds(&mut self, app: &TestApp, written: &Written) {
        let is_long = std::env::var_os("VITRINE_TEST_LONG").is_some();
        let began = Instant::now();
        let mut round = 0;
        loop {
            let is_enough = match asked() {
                Some(most) => round >= most,
                None if is_long => began.elapsed() >= LONG,
                None => round >= SHORT,
            };
            if is_enough {
                return;
            }
            round += 1;
            if round % KILL_EVERY == 0 {
                self.kill_one(app, round / KILL_EVERY).await;
                continue;
            }
            let acknowledged = written.playlists.lock().unwrap().clone();
            let source = self.make(app).await;
            *written.backup.lock().unwrap() = self.whole;
            self.restore(app, &source, &acknowledged).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_under_load_can_be_restored_and_killed_ones_leave_none() {
    let bytes = (0..100_000_u32).map(|n| (n % 251) as u8).collect();
    let uploader = Arc::new(Uploader::open(bytes).await);
    for _ in 0..OLD_FILES {
        upload(&uploader).await;
    }
    let written = Arc::new(Written::default());
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| {
            let (uploader, written) = (Arc::clone(&uploader), Arc::clone(&written));
            tokio::spawn(async move { write(&uploader, &written).await })
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("safe");
    let mut run =
        Run { place, folder, whole: Duration::ZERO, first_files: BTreeMap::new(), seen: Seen::default() };
    run.rounds(&uploader.app, &written).await;
    written.stop.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
    let files = written.files.load(Ordering::Relaxed);
    println!("{files} files written; {:?}", run.seen);
    let Seen { made, killed, restored, .. } = run.seen;
    assert!(restored == made && made > 1 && killed > 0 && files > made, "{:?}", run.seen);
    let (first, last) = (&run.first_files, files_below(&run.place.join("objects")));
    let kept = first.iter().filter(|(path, inode)| last.get(*path) == Some(inode)).count() as u64;
    let copied_again = first.keys().filter(|path| last.contains_key(*path)).count() as u64 - kept;
    assert!(kept >= OLD_FILES && copied_again == 0, "{kept} files stay, {copied_again} were copied again");
    // What the killed ones left is removed with old ones.
    run.make(&uploader.app).await;
    let left = std::fs::read_dir(run.place.join("backups")).unwrap().count();
    assert_eq!(left, run.whole_ones(&uploader.app).await.len());
}
