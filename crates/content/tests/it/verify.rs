//! Each planted inconsistency is found, and nothing else is.

use std::fs;
use std::path::PathBuf;

use bytes::Bytes;
use kernel::{ContentId, DAY, HOUR, MINUTE, RunId, UploadId, VersionId};
use sea_orm::{ConnectionTrait as _, Value};
use storage::{Key, Name, Version};
use testkit::SignedBucket;
use tokio::sync::mpsc;

use crate::images::{png, upload_image};
use crate::orphans::{age, files};
use crate::{MP4, TestApp, TestOptions, file, mp4, test_app_with};

impl TestApp {
    /// (check, table, what) of each finding, in order.
    async fn verify(&self, deep: bool) -> Vec<(String, String, String)> {
        let (found, mut findings) = mpsc::unbounded_channel();
        self.content.verify(deep, &found).await.unwrap();
        drop(found);
        let mut all = Vec::new();
        while let Some(finding) = findings.recv().await {
            all.push((finding.check, finding.table, finding.what));
        }
        all.sort();
        all
    }

    async fn sql(&self, sql: &str, uid: impl Into<Value>) {
        let tx = self.http.deps.db.write_tx().await.unwrap();
        let statement = sea_orm::Statement::from_sql_and_values(tx.get_database_backend(), sql, [uid.into()]);
        assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1, "{sql}");
        tx.commit().await.unwrap();
    }

    /// Panics unless exactly this is found.
    #[track_caller]
    fn only(found: &[(String, String, String)], check: &str, table: &str, what: &str) {
        let [(a, b, c)] = found else { panic!("{check}: {found:?}") };
        assert!(a == check && b == table && c.contains(what), "{check} {what}: {found:?}");
    }
}

async fn finds(app: TestApp, folder: PathBuf) {
    let leader = app.leader().await;
    let org = app.org.uid;
    let sent = app.upload(&leader, "a.png", "image/png", &png()).await;
    let uid: ContentId = sent.parse().unwrap();
    let (upload, version): (UploadId, VersionId) = (sent.parse().unwrap(), sent.parse().unwrap());
    app.http.run_jobs().await;
    upload_image(&app, &leader, false).await;
    assert_eq!(app.verify(true).await, []);

    // Rows.
    for (broken, repaired, check, what) in [
        ("sha256 = NULL", "", "content_file", "SHA-256"),
        ("processing = 'queued'", "processing = 'done'", "processing", "waits for a job"),
        ("processing = 'running'", "processing = 'done'", "processing", "has no job"),
    ] {
        let hash = "sha256 = (SELECT received_sha256 FROM upload WHERE upload.uid = content.uid)";
        let repaired = if repaired.is_empty() { hash } else { repaired };
        app.sql(&format!("UPDATE content SET {broken} WHERE uid = $1"), uid).await;
        TestApp::only(&app.verify(false).await, check, "content", what);
        app.sql(&format!("UPDATE content SET {repaired} WHERE uid = $1"), uid).await;
    }
    app.sql("UPDATE upload SET status = 'rejected' WHERE uid = $1", upload).await;
    TestApp::only(&app.verify(false).await, "content_upload", "content", "is not available");
    app.sql("UPDATE upload SET status = 'available' WHERE uid = $1", upload).await;

    // Objects.
    let source = Key::content(org, uid, &Name::version(Version::Source, version));
    app.storage.put(&source, Bytes::from_static(b"short")).await.unwrap();
    TestApp::only(&app.verify(false).await, "object", "content", "has 5 bytes");
    let mut other = png();
    *other.last_mut().unwrap() ^= 1;
    app.storage.put(&source, other.into()).await.unwrap();
    assert_eq!(app.verify(false).await, [], "only reading the whole file reveals it");
    TestApp::only(&app.verify(true).await, "object_hash", "content", "SHA-256");
    app.storage.delete(&source).await.unwrap();
    TestApp::only(&app.verify(false).await, "object", "content", "is missing");
    app.storage.put(&source, png().into()).await.unwrap();
    let set = RunId::from_u128(9);
    let named = |name: &str| Key::rendition(org, uid, set, &Name::parse(name).unwrap());
    let playlists = [
        ("master.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n720.m3u8?v=t\n"),
        ("720.m3u8", "#EXTM3U\n#EXT-X-MAP:URI=\"720-init.mp4?v=t\"\n#EXTINF:1,\n720-0.m4s?v=t\n"),
        ("720-init.mp4", "head"),
        ("720-0.m4s", "segment"),
    ];
    for (name, text) in playlists {
        app.storage.put(&named(name), text.into()).await.unwrap();
    }
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let statement = sea_orm::Statement::from_sql_and_values(
        tx.get_database_backend(),
        "UPDATE content SET rendition = $1, rendition_has = 'hls'",
        [set.into()],
    );
    tx.execute_raw(statement).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(app.verify(true).await, []);
    app.storage.delete(&named("720-0.m4s")).await.unwrap();
    assert_eq!(app.verify(false).await, []);
    TestApp::only(&app.verify(true).await, "object", "content", "720-0.m4s is missing");
    app.storage.put(&named("720-0.m4s"), "segment".into()).await.unwrap();
    let photo = files(&folder.join("images")).pop().unwrap();
    let aside = folder.join("aside");
    fs::rename(&photo, &aside).unwrap();
    TestApp::only(&app.verify(false).await, "object", "image", "missing");
    fs::rename(&aside, &photo).unwrap();
    let orphan = Key::content(org, uid, &Name::version(Version::Source, VersionId::from_u128(77)));
    app.storage.put(&orphan, "left".into()).await.unwrap();
    age(&folder);
    TestApp::only(&app.verify(false).await, "orphans", "storage", "1 objects with 4 bytes");
    app.storage.delete(&orphan).await.unwrap();

    // A draft that the purge missed.
    let draft = app.announce(&leader, file("c.mp4", MP4, &mp4(1_000))).await.expect(201);
    let draft: UploadId = draft["uid"].as_str().unwrap().parse().unwrap();
    app.http.clock.advance(DAY + HOUR + MINUTE);
    assert_eq!(app.verify(false).await, [], "its upload is still pending");
    app.sql("UPDATE upload SET status = 'rejected' WHERE uid = $1", draft).await;
    TestApp::only(&app.verify(false).await, "draft", "content", "without a pending upload");
    app.http.settle().await;
}

#[tokio::test]
async fn each_inconsistency_is_found_in_a_folder() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let folder = app.http.deps.folder.join("objects");
    finds(app, folder).await;
}

#[tokio::test]
async fn each_inconsistency_is_found_in_a_bucket() {
    let bucket = SignedBucket::open().await;
    let options = TestOptions { storage: bucket.settings(), without_ffmpeg: true, ..TestOptions::default() };
    finds(test_app_with(options).await, bucket.folder()).await;
}
