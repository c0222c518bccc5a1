//! Operator commands, through the control socket of a running server and without one.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant, UNIX_EPOCH};

use kernel::{Clock as _, DAY, SystemClock};
use serde_json::Value;
use storage::StorageSettings;
use testkit::{Database, SignedBucket};

/// Longer than the program ever takes to stop.
const TIMEOUT: Duration = Duration::from_secs(30);
const SWEEP: [&str; 3] = ["admin", "storage", "sweep"];

/// Folder, database and storage of a program.
pub struct TestApp {
    folder: tempfile::TempDir,
    database: String,
    storage: StorageSettings,
    port: u16,
    /// More settings, by the names of their variables.
    pub env: Vec<(&'static str, String)>,
}

impl TestApp {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite://{}", folder.path().join("vitrine.db").display());
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { folder, database, storage: StorageSettings::default(), port, env: Vec::new() }
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vitrine"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env("VITRINE_SANDBOX", "true")
            .env("VITRINE_LISTEN", format!("127.0.0.1:{}", self.port))
            .env("VITRINE_DATA_DIR", self.folder.path())
            .env("VITRINE_DATABASE_URL", &self.database)
            .env("VITRINE_METRICS_LISTEN", "")
            .env("VITRINE_STORAGE_URL", &self.storage.storage_url)
            .env("VITRINE_S3_ENDPOINT", &self.storage.s3_endpoint)
            .env("VITRINE_S3_REGION", &self.storage.s3_region)
            .env("VITRINE_S3_ACCESS_KEY", &self.storage.s3_access_key)
            .env("VITRINE_S3_SECRET_KEY", &self.storage.s3_secret_key)
            .env_remove("VITRINE_TEST_POSTGRES")
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Returns the address of the server.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Starts the server.
    pub fn serve(&self) -> Server {
        let mut child =
            self.command(&["serve"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("listening on"), "{line}");
        Server(child)
    }

    /// Runs a command and returns its output lines and exit code.
    fn run(&self, args: &[&str]) -> (Vec<String>, i32) {
        let Output { stdout, stderr, status } = self.command(args).output().unwrap();
        let lines = String::from_utf8(stdout).unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(!lines.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
        (lines, status.code().unwrap())
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("control.sock")
    }
}

pub struct Server(Child);

impl Server {
    fn stop(mut self) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let signalled = Instant::now();
        while self.0.try_wait().unwrap().is_none() {
            assert!(signalled.elapsed() < TIMEOUT, "the server does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Creates an object that no row references, dated two days ago.
fn orphan(objects: &Path) -> (PathBuf, String) {
    let id = "0".repeat(31) + "7";
    let key = format!("content/{id}/{id}/source-{id}");
    let path = objects.join(&key);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, b"left behind").unwrap();
    let before = UNIX_EPOCH + Duration::from_millis((SystemClock.now() - 2 * DAY).ms().cast_unsigned());
    File::options().write(true).open(&path).unwrap().set_modified(before).unwrap();
    (path, key)
}

/// Checks that an unreferenced object is found, listed and removed.
fn check_sweep(app: &TestApp, objects: &Path) {
    let (path, key) = orphan(objects);
    let (lines, code) = app.run(&["verify"]);
    assert_eq!((lines.len(), code), (2, 1), "{lines:?}");
    assert!(lines[0].starts_with(&format!("orphans: storage {key}: 1 objects with 11 bytes")), "{lines:?}");
    let (lines, code) = app.run(&[&SWEEP[..], &["--dry"]].concat());
    let dry = [format!("{key} (11 bytes)"), "1 objects with 11 bytes would be removed".to_owned()];
    assert_eq!((lines, code), (dry.to_vec(), 0));
    assert!(path.exists(), "a dry run changes nothing");
    let (lines, code) = app.run(&[&SWEEP[..], &["--older-than-hours", "72"]].concat());
    assert_eq!((lines, code), (vec!["0 objects with 0 bytes removed".to_owned()], 0));
    let (lines, code) = app.run(&[&SWEEP[..], &["--json"]].concat());
    let last: Value = serde_json::from_str(&lines[1]).unwrap();
    let swept = serde_json::json!({ "line": "swept", "objects": 1, "bytes": 11, "dry": false });
    assert_eq!((last, code), (swept, 0));
    assert!(!path.exists());
    assert_eq!(app.run(&["verify", "--deep"]), (vec!["nothing found".to_owned()], 0));
}

#[test]
fn commands_reach_a_running_server_and_work_without_one() {
    let app = TestApp::new();
    let objects = app.folder.path().join("objects");
    let server = app.serve();
    let mode = fs::metadata(app.socket()).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    check_sweep(&app, &objects);
    let (lines, code) = app.run(&["admin", "jobs", "list"]);
    assert_eq!((lines.last().unwrap().as_str(), code), ("0 jobs", 0));
    let (lines, code) = app.run(&["admin", "jobs", "retry", "--dead"]);
    assert_eq!((lines[0].as_str(), code), ("0 jobs are due now", 0));
    let unknown = "01a00000-0000-7000-8000-000000000000";
    let output = app.command(&["admin", "jobs", "retry", unknown]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no job"), "{output:?}");
    server.stop();
    assert!(!app.socket().exists(), "the socket is removed on shutdown");
    check_sweep(&app, &objects);

    let server = app.serve();
    server.kill();
    assert!(app.socket().exists(), "a killed server leaves its socket");
    check_sweep(&app, &objects);
    let server = app.serve();
    check_sweep(&app, &objects);
    // The dry runs and those that found nothing changed nothing.
    let entry = "storage sweep --older-than-hours 24 on -, 1 changes";
    let (lines, code) = app.run(&["admin", "audit"]);
    assert_eq!((lines.len(), lines[4].as_str(), code), (5, "4 entries", 0), "{lines:?}");
    assert!(lines[..4].iter().all(|line| line.ends_with(entry)), "{lines:?}");
    assert_eq!(
        app.run(&["admin", "audit", "--limit", "3"]).0,
        [&lines[..3], &["3 entries".to_owned()]].concat()
    );
    server.stop();
}

#[test]
fn a_sweep_of_recent_files_is_rejected() {
    let app = TestApp::new();
    let output = app.command(&[&SWEEP[..], &["--older-than-hours", "0"]].concat()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("1..="), "{output:?}");
}

#[tokio::test]
async fn commands_work_on_the_database_of_the_run_and_a_bucket() {
    let bucket = SignedBucket::open().await;
    let mut app = TestApp::new();
    let database = Database::fresh(app.folder.path()).await;
    app.database = database.url().to_owned();
    app.storage = bucket.settings();
    let objects = bucket.folder();
    tokio::task::spawn_blocking(move || {
        check_sweep(&app, &objects);
        // Also while a server is running: through its socket, or through the database they share.
        let server = app.serve();
        check_sweep(&app, &objects);
        server.stop();
    })
    .await
    .unwrap();
    database.remove().await;
}
