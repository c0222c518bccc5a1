//! Disk failures: single failing system calls in every place, and a full disk. The program keeps what it
//! acknowledges, rejects what it cannot keep, and recovers without a restart.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Launch, TestApp, Uploader};

const ENOSPC: i32 = 28;
const EIO: i32 = 5;
const WRITE: i32 = 1;
const FSYNC: i32 = 2;
const FTRUNCATE: i32 = 4;
const RENAME: i32 = 8;
const CALLS: [(&str, i32); 4] =
    [("write", WRITE), ("fsync", FSYNC), ("ftruncate", FTRUNCATE), ("rename", RENAME)];
/// Path fragments of the database with its log, and of files in staging and in their final place.
const PATH_PARTS: [&str; 4] = ["vitrine.db", "vitrine.db-wal", "/staging/", "/objects/"];
/// More data than is acknowledged at a time in a resumable upload.
const BYTES: usize = 300_000;

/// Returns the library that makes system calls fail, built once from `faults.c`.
fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/crash/faults.c");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}.so", std::process::id()));
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&target)
            .arg(source)
            .arg("-ldl")
            .status();
        assert!(built.unwrap().success());
        target
    })
}

/// Controls the library inside a running program.
struct Faults(File);

impl Faults {
    /// Creates a plan, and the environment that the program must be started with.
    fn plan() -> (Self, Launch, tempfile::NamedTempFile) {
        let named = tempfile::NamedTempFile::new().unwrap();
        named.as_file().set_len(128).unwrap();
        let env = [("LD_PRELOAD", library().into()), ("FAULTS_PLAN", named.path().into())];
        (Self(named.reopen().unwrap()), Launch { env: env.into(), ..Launch::default() }, named)
    }

    /// Makes the next `left` matching calls fail, or all of them if `left` is -1.
    fn arm(&self, calls: i32, error: i32, part: &str, left: i32) {
        let mut plan = [0_u8; 128];
        plan[4..8].copy_from_slice(&calls.to_ne_bytes());
        plan[8..12].copy_from_slice(&error.to_ne_bytes());
        plan[16..16 + part.len()].copy_from_slice(part.as_bytes());
        self.0.write_all_at(&plan, 0).unwrap();
        self.0.write_all_at(&left.to_ne_bytes(), 0).unwrap();
    }

    /// Stops the failures and returns how many calls failed.
    fn disarm(&self) -> i32 {
        self.0.write_all_at(&0_i32.to_ne_bytes(), 0).unwrap();
        let mut hits = [0; 4];
        self.0.read_exact_at(&mut hits, 12).unwrap();
        i32::from_ne_bytes(hits)
    }
}

/// Writes that the program acknowledged.
#[derive(Default)]
struct Acknowledged {
    playlists: Vec<String>,
    uploads: Vec<String>,
}

/// Returns whether a response is a success. Any failure must be reported as a disk problem.
fn is_success(status: StatusCode, what: &str) -> bool {
    assert!(
        status.is_success() || matches!(status.as_u16(), 503 | 507),
        "{what}: {status} is neither a success nor a disk error"
    );
    status.is_success()
}

impl Uploader {
    async fn try_playlist(&self, acknowledged: &mut Acknowledged) -> bool {
        let new = json!({ "playlist": { "title": "P" }, "orgId": self.org });
        let response = self.app.send(Method::POST, "/v1/playlists", &self.token, new).await;
        let succeeded = is_success(response.status(), "POST /v1/playlists");
        if succeeded {
            let made: Value = response.json().await.unwrap();
            acknowledged.playlists.push(made["uid"].as_str().unwrap().to_owned());
        }
        succeeded
    }

    /// A request that fails inside a transaction, which is rolled back.
    async fn rejected_patch(&self, acknowledged: &Acknowledged) {
        let Some(uid) = acknowledged.playlists.last() else { return };
        let old = json!({ "playlist": { "title": "Q", "timeModified": "2020-01-01T00:00:00.000Z" } });
        let path = format!("/v1/playlists/{uid}");
        let status = self.app.send(Method::PATCH, &path, &self.token, old).await.status();
        assert!(matches!(status.as_u16(), 409 | 503 | 507), "{status}");
    }

    async fn try_announce(&self) -> Option<super::Announced> {
        let file = json!({
            "name": "a.bin", "size": self.bytes.len(), "type": "application/octet-stream", "checksum": self.checksum,
        });
        let new =
            json!({ "content": { "title": "F" }, "orgId": self.org, "file": file, "notifyUsers": false });
        let response = self.app.send(Method::POST, "/v1/content", &self.token, new).await;
        if !is_success(response.status(), "POST /v1/content") {
            return None;
        }
        let made: Value = response.json().await.unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Some(super::Announced { uid: text(&made["uid"]), ingest: text(&made["ingest"]["url"]) })
    }

    async fn try_put(&self, acknowledged: &mut Acknowledged) {
        let Some(announced) = self.try_announce().await else { return };
        let put = self.app.http.put(&announced.ingest).header("content-type", "application/octet-stream");
        let status = put.body(self.bytes.clone()).send().await.unwrap().status();
        if is_success(status, "PUT") {
            acknowledged.uploads.push(announced.uid);
        }
    }

    /// A resumable upload in two chunks: acknowledged data is kept, and the upload can be completed
    /// afterwards.
    async fn try_tus(&self, faults: &Faults, acknowledged: &mut Acknowledged) -> i32 {
        let Some(announced) = self.try_announce().await else { return faults.disarm() };
        let begun = self.try_begin(&announced).await;
        let mut safe = 0;
        if let Some(upload_url) = &begun {
            for to in [self.bytes.len() / 2, self.bytes.len()] {
                let response = self.send_chunk(upload_url, safe, to).await.unwrap().unwrap();
                if !is_success(response.status(), "PATCH") {
                    break;
                }
                safe = to;
            }
        }
        let hits = faults.disarm();
        let upload_url = match begun {
            Some(upload_url) => upload_url,
            None => self.begin(&announced).await,
        };
        if safe < self.bytes.len() {
            let at = self.offset(&upload_url).await;
            assert!(at >= safe, "{safe} acknowledged, {at} there");
            let end = self.send_chunk(&upload_url, at, self.bytes.len()).await.unwrap().unwrap().status();
            assert_eq!(end, 204, "cannot resume from {at}");
        }
        acknowledged.uploads.push(announced.uid);
        hits
    }

    async fn has_all(&self, acknowledged: &Acknowledged) {
        for uid in &acknowledged.playlists {
            assert_eq!(self.get(&format!("/v1/playlists/{uid}")).await["uid"], json!(uid));
        }
        for uid in &acknowledged.uploads {
            assert!(self.is_whole(uid).await, "{uid}");
        }
    }

    async fn ready(&self) -> (u16, String) {
        let response = self.app.http.get(format!("{}/readyz", self.app.url)).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    async fn until_ready(&self, wanted: u16) -> String {
        let started = Instant::now();
        loop {
            let (status, body) = self.ready().await;
            if status == wanted {
                return body;
            }
            assert!(started.elapsed() < Duration::from_secs(20), "{status} {body}");
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
}

/// Creates an uploader whose program can be made to fail.
async fn uploader() -> (Uploader, Faults, tempfile::NamedTempFile) {
    let (faults, launch, named) = Faults::plan();
    let bytes: Vec<u8> = (0..BYTES).map(|n| (n % 251) as u8).collect();
    (Uploader::open_at(TestApp::start_with(launch), bytes).await, faults, named)
}

/// Injects one kind of fault while performing all kinds of writes.
async fn inject(
    uploader: &Uploader,
    faults: &Faults,
    acknowledged: &mut Acknowledged,
    (call, error, path_part, left): (i32, i32, &str, i32),
) -> i32 {
    let mut fresh = Acknowledged::default();
    faults.arm(call, error, path_part, left);
    for _ in 0..3 {
        uploader.try_playlist(&mut fresh).await;
        uploader.rejected_patch(&fresh).await;
    }
    uploader.try_put(&mut fresh).await;
    let mut hits = faults.disarm();
    faults.arm(call, error, path_part, left);
    hits += uploader.try_tus(faults, &mut fresh).await;
    // The fault is over: everything works at once, whatever is rolled back in between.
    for _ in 0..3 {
        assert!(uploader.try_playlist(&mut fresh).await, "still failing after the fault");
        uploader.rejected_patch(&fresh).await;
    }
    uploader.has_all(&fresh).await;
    acknowledged.playlists.append(&mut fresh.playlists);
    acknowledged.uploads.append(&mut fresh.uploads);
    hits
}

#[tokio::test]
async fn a_failing_system_call_loses_nothing_that_was_acknowledged() {
    let (mut uploader, faults, _named) = uploader().await;
    let mut acknowledged = Acknowledged::default();
    let long = std::env::var_os("VITRINE_TEST_LONG").is_some();
    let limits: &[i32] = if long { &[1, 2, 3, 5, 8, 13, -1] } else { &[1, -1] };
    let mut hit = std::collections::BTreeSet::new();
    for (name, call) in CALLS {
        for error in [ENOSPC, EIO] {
            for path_part in PATH_PARTS {
                for left in limits {
                    if inject(&uploader, &faults, &mut acknowledged, (call, error, path_part, *left)).await
                        > 0
                    {
                        hit.insert((name, path_part));
                    }
                }
            }
        }
    }
    for expected in [
        ("write", "vitrine.db-wal"),
        ("fsync", "vitrine.db-wal"),
        ("write", "/staging/"),
        ("fsync", "/staging/"),
        ("rename", "/objects/"),
    ] {
        assert!(hit.contains(&expected), "{expected:?} never occurred: {hit:?}");
    }
    uploader.app.crash();
    uploader.has_all(&acknowledged).await;
}

#[tokio::test]
async fn a_rejected_write_is_reported_and_readiness_follows() {
    let (uploader, faults, _named) = uploader().await;
    let mut acknowledged = Acknowledged::default();
    assert!(uploader.try_playlist(&mut acknowledged).await);
    assert_eq!(uploader.ready().await.0, 200);

    faults.arm(WRITE, ENOSPC, "vitrine.db", -1);
    let new = json!({ "playlist": { "title": "P" }, "orgId": uploader.org });
    let response = uploader.app.send(Method::POST, "/v1/playlists", &uploader.token, new).await;
    assert_eq!(response.status(), 507);
    assert_eq!(response.json::<Value>().await.unwrap()["code"], "storage_full");
    let body = uploader.until_ready(503).await;
    assert!(body.contains("disk is full"), "{body}");
    // Reads still work.
    assert_eq!(uploader.get(&format!("/v1/playlists/{}", acknowledged.playlists[0])).await["title"], "P");

    // Space is free again: the server notices by itself, without any writes by users.
    faults.disarm();
    uploader.until_ready(200).await;
    assert!(uploader.try_playlist(&mut acknowledged).await);
    uploader.has_all(&acknowledged).await;
}

/// A small file system for the program's folder, in a mount namespace kept alive by a sleeping process.
struct SmallDisk {
    keeper: Child,
    folder: PathBuf,
}

impl SmallDisk {
    fn new(folder: &Path) -> Self {
        let script = "mount -t tmpfs -o size=64m,mode=700 tmpfs \"$0\" && echo mounted && exec sleep 1000";
        let mut keeper = Command::new("unshare")
            .args(["--mount", "--map-root-user", "sh", "-c", script])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(keeper.stdout.take().unwrap()), &mut line)
            .unwrap();
        assert_eq!(line, "mounted\n", "cannot mount a tmpfs in a new namespace");
        Self { keeper, folder: folder.to_owned() }
    }

    /// Starts a program inside the namespace.
    fn launch(&self) -> Launch {
        let words = [
            "nsenter",
            "--target",
            &self.keeper.id().to_string(),
            "--user",
            "--preserve-credentials",
            "--mount",
        ]
        .map(OsString::from);
        Launch { before: words.into(), ..Launch::default() }
    }

    fn at(&self, name: &str) -> PathBuf {
        let inside = self.folder.strip_prefix("/").unwrap().join(name);
        Path::new(&format!("/proc/{}/root", self.keeper.id())).join(inside)
    }

    /// Fills the file system to the last byte.
    fn fill(&self) {
        let mut file = File::create(self.at("filler")).unwrap();
        for size in [1 << 20, 4096, 1] {
            while std::io::Write::write_all(&mut file, &vec![0; size]).is_ok() {}
        }
    }

    fn free(&self) {
        std::fs::remove_file(self.at("filler")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

#[tokio::test]
async fn a_full_disk_keeps_what_was_acknowledged_and_works_again_once_there_is_space() {
    let folder = tempfile::tempdir().unwrap();
    let disk = SmallDisk::new(folder.path());
    let app = TestApp::start_in(folder, disk.launch());
    let mut uploader = Uploader::open_at(app, vec![7; BYTES]).await;
    let other = uploader.app.sign_in("bea@example.com").await;
    let mut acknowledged = Acknowledged::default();
    assert!(uploader.try_playlist(&mut acknowledged).await);

    disk.fill();
    let (mut succeeded, mut failed) = (0, 0);
    for _ in 0..60 {
        let was_created = uploader.try_playlist(&mut acknowledged).await;
        uploader.rejected_patch(&acknowledged).await;
        *(if was_created { &mut succeeded } else { &mut failed }) += 1;
    }
    assert!(failed > 0, "{succeeded} of 60 writes succeeded");
    uploader.try_put(&mut acknowledged).await;
    // Signing out either takes effect or reports that it did not.
    let signed_out = uploader.app.send(Method::POST, "/v1/auth/sign-out", &other, json!({})).await.status();
    let is_signed_out = is_success(signed_out, "sign-out");
    let profile = uploader.app.send(Method::GET, "/v1/profiles", &other, json!({})).await.status();
    assert_eq!(profile == 401, is_signed_out, "{signed_out}, then {profile}");

    disk.free();
    for _ in 0..3 {
        assert!(uploader.try_playlist(&mut acknowledged).await, "still failing after the fault");
        uploader.rejected_patch(&acknowledged).await;
    }
    uploader.try_put(&mut acknowledged).await;
    uploader.until_ready(200).await;
    uploader.has_all(&acknowledged).await;
    uploader.app.crash();
    uploader.has_all(&acknowledged).await;
    let profile = uploader.app.send(Method::GET, "/v1/profiles", &other, json!({})).await.status();
    assert_eq!(profile == 401, is_signed_out);
}
