//! Both storage numbers stay correct under random operations: `stored` is compared with the bytes in the
//! storage, `charged` with a model. `VITRINE_TEST_LONG=1` makes the runs longer.

use axum::body::Body;
use bytes::Bytes;
use kernel::{DAY, HOUR, MINUTE, Millis, Timestamp};
use serde_json::{Value, json};
use testkit::{Client, SignedBucket};

use crate::captions::{self, SRT};
use crate::images::{png, upload_image};
use crate::tus::{begin, call, send_chunk};
use crate::tus_failures::cut;
use crate::{MP4, TestApp, TestOptions, file, ingest, mp4, put, put_body, test_app_with};

/// Number of operations per run.
fn operations() -> usize {
    if std::env::var("VITRINE_TEST_LONG").is_ok_and(|set| set == "1") { 500 } else { 120 }
}

#[tokio::test]
async fn storage_use_is_correct_with_files_in_a_folder() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    TestRun::of(app, None).await.go(operations()).await;
}

#[tokio::test]
async fn storage_use_is_correct_with_files_in_a_bucket() {
    let bucket = SignedBucket::open().await;
    let options = TestOptions { storage: bucket.settings(), without_ffmpeg: true, ..TestOptions::default() };
    let app = test_app_with(options).await;
    TestRun::of(app, Some(bucket)).await.go(operations()).await;
}

#[tokio::test]
async fn derived_files_count_as_stored_and_only_the_upload_as_charged() {
    let app = crate::test_app().await;
    let leader = app.leader().await;
    let video = crate::renditions::video();
    let uid = app.upload(&leader, "a.mp4", MP4, &video).await;
    app.http.run_jobs().await;
    let mut run = TestRun::of(app, None).await;
    assert_eq!(run.app.content(&leader, &uid).await["processing"], "done");
    run.items.push(Item { uid: uid.clone(), video: true, size: video.len() as u64, ..Item::default() });
    run.compare("a video").await;
    let used = run.numbers().await;
    assert!(used.1 > used.0, "{used:?}");
    leader.delete(&format!("/v1/content/{uid}?permanent=true")).await.expect(204);
    run.app.http.run_jobs().await;
    assert_eq!((run.numbers().await, run.on_disk()), ((0, 0), 0));
    run.app.http.settle().await;
}

/// An item in the model.
#[derive(Clone, Debug, Default)]
struct Item {
    uid: String,
    /// Whether it can have captions.
    video: bool,
    /// Bytes of the file that is served; 0 for a draft.
    size: u64,
    created: Timestamp,
    deleted: Option<Timestamp>,
}

/// A pending upload.
#[derive(Clone, Debug)]
struct Pending {
    upload: Value,
    content: String,
    bytes: Vec<u8>,
    mime: &'static str,
    /// The address for its chunks, and the number of bytes received.
    chunks: Option<(String, usize)>,
    expires: Timestamp,
}

struct TestRun {
    app: TestApp,
    bucket: Option<SignedBucket>,
    leader: Client,
    dice: u64,
    items: Vec<Item>,
    pending: Vec<Pending>,
    /// Bytes of replaced files whose removal job is waiting.
    replaced: u64,
}

impl TestRun {
    async fn of(app: TestApp, bucket: Option<SignedBucket>) -> Self {
        let leader = app.leader().await;
        let (items, pending) = (Vec::new(), Vec::new());
        Self { app, bucket, leader, dice: 0x5eed, items, pending, replaced: 0 }
    }

    async fn go(mut self, operations: usize) {
        for number in 0..operations {
            let what = self.operation().await;
            self.compare(&format!("operation {number}: {what}")).await;
        }
        // Finally everything is deleted, and nothing remains.
        for item in self.items.clone() {
            self.leader.delete(&format!("/v1/content/{}?permanent=true", item.uid)).await;
        }
        self.app.http.run_jobs().await;
        self.pass(2 * DAY).await;
        assert_eq!((self.numbers().await, self.on_disk()), ((0, 0), 0));
        self.app.http.settle().await;
    }

    fn now(&self) -> Timestamp {
        self.app.http.deps.ambient.now()
    }

    /// Returns a pseudo-random number below `end` (xorshift).
    fn roll(&mut self, end: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        usize::try_from(self.dice % end as u64).unwrap()
    }

    async fn operation(&mut self) -> &'static str {
        match self.roll(20) {
            0..=3 => self.announce().await,
            4..=6 => self.send().await,
            7 => self.send_something_else().await,
            8 => self.send_half().await,
            9..=10 => self.send_a_chunk().await,
            11 => self.cancel().await,
            12 => self.delete().await,
            13 => self.delete_for_good().await,
            14..=15 => self.replace().await,
            16 => self.caption().await,
            17 => {
                upload_image(&self.app, &self.leader, true).await;
                "an image"
            }
            18 => {
                let by = [MINUTE, 20 * MINUTE, 2 * HOUR, 26 * HOUR, 31 * DAY][self.roll(5)];
                self.pass(by).await;
                "time passes"
            }
            _ => {
                self.work().await;
                "jobs run"
            }
        }
    }

    /// Creates a file that was not sent before.
    fn file(&mut self) -> (Vec<u8>, &'static str) {
        if self.roll(4) == 0 {
            let mut bytes = png();
            bytes.extend(std::iter::repeat_n(b' ', self.roll(5_000)));
            return (bytes, "image/png");
        }
        (mp4(1_000 + self.roll(200_000)), MP4)
    }

    async fn announce(&mut self) -> &'static str {
        if self.items.iter().filter(|item| item.size == 0 && item.deleted.is_none()).count() >= 90 {
            return "nothing: there are enough drafts";
        }
        let (bytes, mime) = self.file();
        let announced = file(if mime == MP4 { "a.mp4" } else { "a.png" }, mime, &bytes);
        let upload = self.app.announce(&self.leader, announced).await.expect(201);
        let (content, created) = (upload["uid"].as_str().unwrap().to_owned(), self.now());
        self.items.push(Item { uid: content.clone(), video: mime == MP4, created, ..Item::default() });
        self.await_file(upload, content, bytes, mime);
        "a file is announced"
    }

    fn await_file(&mut self, upload: Value, content: String, bytes: Vec<u8>, mime: &'static str) {
        let expires = self.now() + HOUR;
        self.pending.push(Pending { upload, content, bytes, mime, chunks: None, expires });
    }

    async fn replace(&mut self) -> &'static str {
        let Some(uid) = self.pick(|item| item.size > 0) else { return "nothing to replace" };
        let (bytes, mime) = self.file();
        let mut announced = file(if mime == MP4 { "b.mp4" } else { "b.png" }, mime, &bytes);
        if self.roll(3) == 0 && mime == MP4 {
            announced["size"] = Value::Null;
        }
        let known = announced["size"].is_u64();
        let upload =
            self.leader.post(&format!("/v1/content/{uid}"), json!({"file": announced})).await.expect(200);
        self.await_file(upload, uid, bytes, mime);
        if !known {
            // Nothing is reserved for it before it is sent, so it is sent at once.
            let last = self.pending.len() - 1;
            self.put_whole(last).await;
        }
        "a new version is announced"
    }

    /// Picks an existing item that matches the condition.
    fn pick(&mut self, wanted: impl Fn(&Item) -> bool) -> Option<String> {
        let fit: Vec<String> = self
            .items
            .iter()
            .filter(|item| item.deleted.is_none() && wanted(item))
            .map(|item| item.uid.clone())
            .collect();
        if fit.is_empty() { None } else { Some(fit[self.roll(fit.len())].clone()) }
    }

    /// Picks a pending upload.
    fn waiting(&mut self) -> Option<usize> {
        let now = self.now();
        let fit: Vec<usize> = (0..self.pending.len()).filter(|at| self.pending[*at].expires > now).collect();
        if fit.is_empty() { None } else { Some(fit[self.roll(fit.len())]) }
    }

    fn item(&mut self, uid: &str) -> &mut Item {
        self.items.iter_mut().find(|item| item.uid == uid).unwrap()
    }

    async fn send(&mut self) -> &'static str {
        let Some(at) = self.waiting() else { return "nothing to send" };
        self.put_whole(at).await;
        "a file arrives"
    }

    async fn put_whole(&mut self, at: usize) {
        let Pending { upload, bytes, mime, .. } = self.pending[at].clone();
        put(&self.app.http, ingest(&upload), mime, &bytes).await.expect(200);
        self.arrived(at);
    }

    fn arrived(&mut self, at: usize) {
        let done = self.pending.remove(at);
        let item = self.item(&done.content);
        let before = std::mem::replace(&mut item.size, done.bytes.len() as u64);
        item.video = done.mime == MP4;
        self.replaced += before;
    }

    async fn send_something_else(&mut self) -> &'static str {
        let Some(at) = self.waiting() else { return "nothing to send" };
        let Pending { upload, mut bytes, mime, .. } = self.pending.remove(at);
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        put(&self.app.http, ingest(&upload), mime, &bytes).await.expect(400);
        "another file arrives"
    }

    async fn send_half(&mut self) -> &'static str {
        let Some(at) = self.waiting() else { return "nothing to send" };
        let Pending { upload, bytes, mime, .. } = self.pending[at].clone();
        let half = cut(&bytes[..bytes.len() / 2]);
        put_body(&self.app.http, ingest(&upload), mime, Some(bytes.len()), half).await.expect(408);
        "a request is interrupted"
    }

    async fn send_a_chunk(&mut self) -> &'static str {
        let Some(at) = self.waiting() else { return "nothing to send" };
        let now = self.now();
        let Pending { upload, bytes, chunks, .. } = self.pending[at].clone();
        let (url, arrived) = match chunks {
            Some(chunks) => chunks,
            None => (begin(&self.app, &upload, bytes.len()).await, 0),
        };
        let end = (arrived + 1 + self.roll(bytes.len())).min(bytes.len());
        if self.roll(3) == 0 && end < bytes.len() {
            send_chunk(&self.app, &url, arrived, cut(&bytes[arrived..end])).await.expect(408);
        } else {
            send_chunk(&self.app, &url, arrived, Bytes::copy_from_slice(&bytes[arrived..end]))
                .await
                .expect(204);
        }
        if end == bytes.len() {
            self.arrived(at);
            return "the last chunk arrives";
        }
        (self.pending[at].chunks, self.pending[at].expires) = (Some((url, end)), now + DAY);
        "a chunk arrives"
    }

    async fn cancel(&mut self) -> &'static str {
        let Some(at) = self.waiting() else { return "nothing to cancel" };
        let gone = self.pending.remove(at);
        match gone.chunks {
            Some((url, _)) if self.roll(2) == 0 => {
                call(&self.app, http::Method::DELETE, &url, &[], Body::empty()).await.expect(204);
            }
            _ => {
                let path = format!("/v1/uploads/{}", gone.upload["uid"].as_str().unwrap());
                self.leader.delete(&path).await.expect(204);
            }
        }
        "an upload is cancelled"
    }

    async fn delete(&mut self) -> &'static str {
        let Some(uid) = self.pick(|_| true) else { return "nothing to delete" };
        self.leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
        let now = self.now();
        self.item(&uid).deleted = Some(now);
        self.pending.retain(|pending| pending.content != uid);
        "an item is deleted"
    }

    async fn delete_for_good(&mut self) -> &'static str {
        let Some(uid) = self.pick(|_| true) else { return "nothing to delete" };
        self.leader.delete(&format!("/v1/content/{uid}?permanent=true")).await.expect(204);
        self.work().await;
        self.items.retain(|item| item.uid != uid);
        self.pending.retain(|pending| pending.content != uid);
        "an item is deleted permanently"
    }

    async fn caption(&mut self) -> &'static str {
        let Some(uid) = self.pick(|item| item.video && item.size > 0) else { return "nothing to caption" };
        let language = ["en", "de"][self.roll(2)];
        captions::put(&self.leader, &uid, language, captions::TYPE, SRT.as_bytes()).await.expect(200);
        "captions arrive"
    }

    async fn work(&mut self) {
        self.app.http.run_jobs().await;
        self.replaced = 0;
    }

    /// Advances the clock and runs the cleanup that is due.
    async fn pass(&mut self, by: Millis) {
        self.work().await;
        self.app.http.clock.advance(by);
        self.app.purge().await;
        self.work().await;
        self.leader = self.app.leader().await;
        let now = self.now();
        self.pending.retain(|pending| pending.expires > now);
        let awaited: Vec<&String> = self.pending.iter().map(|pending| &pending.content).collect();
        self.items.retain(|item| {
            let stale = item.size == 0 && item.created < now - DAY && !awaited.contains(&&item.uid);
            let purged = item.deleted.is_some_and(|deleted| deleted < now - 30 * DAY);
            !(purged || stale && item.deleted.is_none())
        });
    }

    /// Returns what the server reports: charged, stored.
    async fn numbers(&self) -> (u64, u64) {
        let used =
            self.app.content.storage_use(self.app.http.deps.db.read(), self.app.org.uid).await.unwrap();
        (used.charged, used.stored)
    }

    fn on_disk(&self) -> u64 {
        fn below(path: &std::path::Path) -> u64 {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            entries
                .map(|entry| {
                    if entry.path().is_dir() {
                        below(&entry.path())
                    } else {
                        entry.metadata().map_or(0, |found| found.len())
                    }
                })
                .sum()
        }
        match &self.bucket {
            Some(bucket) => bucket.bytes(),
            None => below(&self.app.http.deps.folder.join("objects")),
        }
    }

    async fn compare(&self, when: &str) {
        let files: u64 = self.items.iter().map(|item| item.size).sum();
        let reserved: u64 = self.pending.iter().map(|pending| pending.bytes.len() as u64).sum();
        let (charged, stored) = self.numbers().await;
        assert_eq!(charged, files + self.replaced + reserved, "charged, {when}");
        // A background task cleans up what an interrupted request leaves in a bucket.
        let settled = async {
            while self.on_disk() != stored {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        let settled = tokio::time::timeout(std::time::Duration::from_secs(5), settled).await;
        assert!(settled.is_ok(), "stored {stored}, there are {}, {when}", self.on_disk());
    }
}
