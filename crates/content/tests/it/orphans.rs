//! Orphaned objects are found and removed; everything else stays.

use std::fmt::Debug;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use futures::TryStreamExt as _;
use kernel::{Clock as _, ContentId, DAY, OrgId, RunId, SystemClock, VersionId};
use sea_orm::{ConnectionTrait as _, Statement};
use storage::{Key, Name, Version};
use testkit::SignedBucket;

use crate::captions::{self, SRT};
use crate::images::{png, upload_image};
use crate::{MP4, TestApp, TestOptions, file, mp4, test_app_with};

/// Returns every file below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(files(&path)),
            path => found.push(path),
        }
    }
    found.sort();
    found
}

/// Makes every file in the storage look two days old.
pub fn age(folder: &Path) {
    for path in files(folder) {
        let before = UNIX_EPOCH + Duration::from_millis((SystemClock.now() - 2 * DAY).ms().cast_unsigned());
        File::options().write(true).open(path).unwrap().set_modified(before).unwrap();
    }
}

impl TestApp {
    /// Returns the keys of the orphans in order, and removes them unless it is a dry run.
    async fn sweep(&self, dry: bool) -> Vec<String> {
        let orphans: Vec<_> = self.content.orphans(DAY).try_collect().await.unwrap();
        for orphan in orphans.iter().filter(|_| !dry) {
            self.content.remove_orphan(orphan).await.unwrap();
        }
        let mut keys: Vec<_> = orphans.into_iter().map(|orphan| orphan.key.to_string()).collect();
        keys.sort();
        keys
    }

    /// Records an object that no row refers to.
    async fn record(&self, org: OrgId, content: ContentId, path: &str) {
        let statement = "INSERT INTO stored_object (path, org, content, kind, bytes, unreferenced_at) VALUES ($1, $2, $3, 'source', 11, 0)";
        let values = [path.into(), org.into(), content.into()];
        let tx = self.http.deps.db.write_tx().await.unwrap();
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), statement, values))
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }

    /// Counts the recorded objects.
    async fn recorded(&self) -> i64 {
        let db = self.http.deps.db.read();
        let count =
            Statement::from_string(db.get_database_backend(), "SELECT COUNT(*) AS n FROM stored_object");
        db.query_one_raw(count).await.unwrap().unwrap().try_get("", "n").unwrap()
    }

    async fn plant(&self, keys: &[Key]) -> Vec<String> {
        for key in keys {
            self.storage.put(key, Bytes::from_static(b"left behind")).await.unwrap();
        }
        let mut keys: Vec<_> = keys.iter().map(Key::to_string).collect();
        keys.sort();
        keys
    }
}

fn uid<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

async fn sweeps(app: TestApp, folder: PathBuf) {
    let leader = app.leader().await;
    let org = app.org.uid;
    // Objects with a row: an image with its poster and captions, a person's photo, a deleted item.
    let shown = app.upload(&leader, "a.png", "image/png", &png()).await;
    app.http.run_jobs().await;
    let video = app.upload(&leader, "f.mp4", MP4, &mp4(1_000)).await;
    app.http.run_jobs().await;
    captions::put(&leader, &video, "en", captions::TYPE, SRT.as_bytes()).await.expect(200);
    upload_image(&app, &leader, false).await;
    let deleted = app.upload(&leader, "b.mp4", MP4, &mp4(1_000)).await;
    app.http.run_jobs().await;
    leader.delete(&format!("/v1/content/{deleted}")).await.expect(204);
    app.http.run_jobs().await;
    // An upload in progress whose object is stored already, without a row that refers to it.
    let pending = app.announce(&leader, file("c.mp4", MP4, &mp4(1_000))).await.expect(201);
    let draft = pending["uid"].as_str().unwrap();
    let pending = Key::content(org, uid(draft), &Name::version(Version::Source, uid(draft)));
    app.plant(&[pending]).await;
    // What no row names of a deleted content goes with the purge.
    app.plant(&[Key::content(org, uid(&deleted), &Name::version(Version::Poster, VersionId::from_u128(76)))])
        .await;
    fs::create_dir_all(folder.join("content/foreign")).unwrap();
    fs::write(folder.join("content/foreign/notes.txt"), b"not ours").unwrap();
    let kept = files(&folder);

    let content: ContentId = uid(&shown);
    let (version, run) = (VersionId::from_u128(77), RunId::from_u128(77));
    let planted = app
        .plant(&[
            Key::content(org, content, &Name::version(Version::Source, version)),
            Key::content(org, content, &Name::version(Version::Poster, version)),
            Key::content(org, content, &Name::parse(&format!("captions-{}", version.as_simple())).unwrap()),
            Key::rendition(org, content, run, &Name::parse("720-0.m4s").unwrap()),
            Key::rendition(org, content, run, &Name::parse("master.m3u8").unwrap()),
            // Keys with the wrong organisation for the item, and of an item that does not exist.
            Key::content(OrgId::from_u128(77), content, &Name::version(Version::Source, uid(&shown))),
            Key::content(org, ContentId::from_u128(77), &Name::version(Version::Source, version)),
            Key::image([0xab; 16]),
        ])
        .await;
    assert_eq!(app.sweep(false).await, [""; 0], "everything is too young");
    age(&folder);
    let young = Key::content(org, content, &Name::version(Version::Source, VersionId::from_u128(78)));
    app.plant(std::slice::from_ref(&young)).await;
    let before = files(&folder);

    // One of them is in the record of stored objects, too.
    let rows = app.recorded().await;
    app.record(org, content, &planted[0]).await;

    assert_eq!(app.sweep(true).await, planted);
    assert_eq!(files(&folder), before, "a dry run changes nothing");
    assert_eq!(app.sweep(false).await, planted);
    assert_eq!(app.recorded().await, rows, "the record of a removed object is removed");
    app.storage.delete(&young).await.unwrap();
    assert_eq!(files(&folder), kept);
    assert_eq!(app.sweep(false).await, [""; 0]);

    // After the purge no row refers to objects of a deleted item.
    app.http.clock.advance(31 * DAY);
    app.purge().await;
    let late = app.plant(&[Key::content(org, uid(&deleted), &Name::version(Version::Source, version))]).await;
    age(&folder);
    let found = app.sweep(true).await;
    assert!(found.contains(&late[0]), "{found:?}");
    app.http.settle().await;
}

#[tokio::test]
async fn orphans_in_a_folder_are_swept_and_nothing_else() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let folder = app.http.deps.folder.join("objects");
    sweeps(app, folder).await;
}

#[tokio::test]
async fn orphans_in_a_bucket_are_swept_and_nothing_else() {
    let bucket = SignedBucket::open().await;
    let options = TestOptions { storage: bucket.settings(), without_ffmpeg: true, ..TestOptions::default() };
    sweeps(test_app_with(options).await, bucket.folder()).await;
}
