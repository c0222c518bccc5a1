//! The program in steady use keeps no memory, open files, threads or processes that it no longer needs.
//! `VITRINE_TEST_LONG=1` makes the use last ten minutes.

use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::{Launch, TestApp, Uploader, bitmap, put_partially};

/// Rounds before the first measurement: pools, lazily created values and the small caches of the database exist after
/// them.
const WARM_UP: u32 = 4;
const LONG_WARM_UP: u32 = 100;
/// How many more open files and threads are no leak: connections to the database, and threads that wait for
/// blocking work, come and go.
const FILES_MARGIN: usize = 8;
const THREADS_MARGIN: usize = 16;
/// How much more memory is no leak.
const MEMORY_MARGIN: usize = 24 << 20;

/// What a process holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    files: usize,
    threads: usize,
    children: usize,
    /// Bytes of memory that belong to no file.
    memory: usize,
}

impl Held {
    fn by(process: u32) -> Self {
        let folder = format!("/proc/{process}");
        let folder = Path::new(&folder);
        let entries = |name: &str| std::fs::read_dir(folder.join(name)).unwrap().count();
        let status = std::fs::read_to_string(folder.join("status")).unwrap();
        let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        let kib: usize = anonymous.trim().trim_end_matches("kB").trim().parse().unwrap();
        let children = std::fs::read_dir(folder.join("task"))
            .unwrap()
            .filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("children")).ok())
            .map(|list| list.split_whitespace().count())
            .sum();
        Self { files: entries("fd"), threads: entries("task"), children, memory: kib << 10 }
    }
}

impl Uploader {
    /// Uses every kind of request once and deletes what was created.
    async fn round(&self) {
        let announced = self.announce("a.bmp", "image/bmp").await;
        let put = self.app.http.put(&announced.ingest).header("content-type", "image/bmp");
        assert_eq!(put.body(self.bytes.clone()).send().await.unwrap().status(), 200);
        let item = format!("/v1/content/{}", announced.uid);
        let content = self.get(&item).await;
        let file = self.app.http.get(content["url"].as_str().unwrap()).header("range", "bytes=10-999");
        assert_eq!(file.send().await.unwrap().bytes().await.unwrap().len(), 990);

        // An upload whose client disappears, and a download whose client reads nothing.
        let abandoned = self.announce("b.bmp", "image/bmp").await;
        let half = self.bytes[..self.bytes.len() / 2].to_vec();
        let sending = put_partially(&self.app, &abandoned.ingest, half, self.bytes.len());
        let unread = self.app.http.get(content["url"].as_str().unwrap()).send().await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        sending.abort();
        drop(unread);

        let new = json!({ "playlist": { "title": "Films", "items": [announced.uid] }, "orgId": self.org });
        let playlist = self.app.call(Method::POST, "/v1/playlists", &self.token, new).await;
        self.get(&format!("/v1/playlists?orgId={}&search=films", self.org)).await;
        self.get(&format!("/v1/content?orgId={}", self.org)).await;
        for path in ["/", "/app/", "/openapi.json", "/v1/config"] {
            let url = format!("{}{path}", self.app.url);
            self.app.http.get(url).send().await.unwrap().bytes().await.unwrap();
        }
        for (method, path) in [(Method::GET, "/v1/profiles"), (Method::POST, "/v1/playlists")] {
            assert_eq!(self.app.send(method, path, "not-a-token", json!({})).await.status(), 401);
        }
        let playlist = format!("/v1/playlists/{}", playlist["uid"].as_str().unwrap());
        self.delete(&playlist).await;
        self.delete(&format!("{item}?permanent=true")).await;
        self.delete(&format!("/v1/content/{}?permanent=true", abandoned.uid)).await;
    }

    async fn delete(&self, path: &str) {
        self.app.call(Method::DELETE, path, &self.token, Value::Null).await;
    }

    /// Measures once no tool runs any more.
    async fn measure(&self) -> Held {
        for _ in 0..200 {
            let held = Held::by(self.app.child.id());
            if held.children == 0 {
                return held;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("a tool still runs after 20 s");
    }
}

#[tokio::test]
async fn steady_use_keeps_no_memory_files_threads_or_processes() {
    let long = std::env::var_os("VITRINE_TEST_LONG").is_some();
    let duration = Duration::from_secs(if long { 600 } else { 8 });
    // The database grows with every round: its caches must be full before the first measurement.
    let env = vec![("VITRINE_DATABASE_CACHE_MB", "1".into())];
    let app = TestApp::start_with(Launch { env, ..Launch::default() });
    let uploader = Uploader::open_at(app, bitmap()).await;
    for _ in 0..if long { LONG_WARM_UP } else { WARM_UP } {
        uploader.round().await;
    }
    let before = uploader.measure().await;
    let (started, mut rounds) = (Instant::now(), 0);
    while started.elapsed() < duration {
        uploader.round().await;
        rounds += 1;
    }
    let after = uploader.measure().await;
    println!("{rounds} rounds: {before:?}, then {after:?}");
    assert!(after.files <= before.files + FILES_MARGIN, "open files: {before:?}, then {after:?}");
    assert!(after.threads <= before.threads + THREADS_MARGIN, "threads: {before:?}, then {after:?}");
    assert!(after.memory <= before.memory + MEMORY_MARGIN, "memory: {before:?}, then {after:?}");
}
