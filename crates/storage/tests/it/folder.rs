//! What is left on disk after dropped, interrupted and completed streams.

use std::fs;
use std::path::Path;

use bytes::Bytes;
use futures::stream::{self, StreamExt as _};
use kernel::{Ambient, DAY, HOUR, SystemRandom, Timestamp, Uid};
use storage::{Storage, StorageSettings};

use crate::{bytes, frames, key, test_app};

fn staged(dir: &Path) -> usize {
    fs::read_dir(dir.join("objects/staging")).unwrap().count()
}

#[tokio::test]
async fn a_dropped_stream_leaves_no_file() {
    let app = test_app();
    let endless = frames(&bytes(3_000_000), 4096).chain(stream::pending());
    let key = key(1);
    let receiving = app.storage.receive(&key, 9_000_000, endless);
    let waited = tokio::time::timeout(std::time::Duration::from_millis(300), receiving).await;
    assert!(waited.is_err(), "the stream never ends");
    assert_eq!(staged(app.dir.path()), 0);
    drop(app.storage.receive(&key, 3, frames(b"abc", 1)).await.unwrap());
    assert_eq!(staged(app.dir.path()), 0);
}

#[tokio::test]
async fn a_long_stream_is_flushed_on_the_way_and_complete_at_the_end() {
    let app = test_app();
    let chunk = Bytes::from(bytes(1 << 20));
    let copies = 130;
    let again = chunk.clone();
    let stream = stream::iter((0..copies).map(move |_| Ok::<_, std::io::Error>(again.clone())));
    let staged = app.storage.receive(&key(1), copies << 20, stream).await.unwrap();
    staged.commit().await.unwrap();
    let stored = fs::read(app.storage.local_path(&key(1)).unwrap()).unwrap();
    assert!(stored.len() as u64 == copies << 20 && stored.chunks(1 << 20).all(|stored| stored == chunk));
}

/// A clock that a test sets.
struct TestClock(std::sync::atomic::AtomicI64);

impl kernel::Clock for TestClock {
    fn now(&self) -> kernel::Timestamp {
        Timestamp::from_ms(self.0.load(std::sync::atomic::Ordering::SeqCst))
    }
}

#[tokio::test]
async fn leftovers_of_a_crash_are_swept_when_they_are_old_and_running_streams_never() {
    let dir = tempfile::tempdir().unwrap();
    let clock = std::sync::Arc::new(TestClock(1_795_000_000_000.into()));
    let ambient = Ambient::new(clock.clone(), std::sync::Arc::new(SystemRandom));
    let storage = Storage::open(&StorageSettings::default(), dir.path(), ambient.clone()).unwrap();
    // What a killed process leaves: files no process holds. One is old, one is recent, one is not ours.
    let staging = dir.path().join("objects/staging");
    let old = staging.join(ambient.uid::<Uid>().to_string());
    fs::write(&old, b"half a file").unwrap();
    let running = storage.receive(&key(1), 3, frames(b"abc", 1)).await.unwrap();
    clock.0.fetch_add(DAY, std::sync::atomic::Ordering::SeqCst);
    fs::write(staging.join(ambient.uid::<Uid>().to_string()), b"young").unwrap();
    fs::write(staging.join("notes.txt"), b"not ours").unwrap();

    assert_eq!(storage.sweep(HOUR, [].into()).await.unwrap(), 1);
    assert!(!old.exists());
    assert_eq!(staged(dir.path()), 3);
    running.commit().await.unwrap();
    assert!(storage.exists(&key(1)).await.unwrap());
}

#[tokio::test]
async fn the_folder_is_closed_to_others_and_its_files_are_not() {
    use std::os::unix::fs::PermissionsExt as _;
    let app = test_app();
    app.storage.put(&key(1), Bytes::from_static(b"x")).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&app.dir.path().join("objects")), 0o700);
    assert_eq!(mode(&app.storage.local_path(&key(1)).unwrap()), 0o644);
}

#[tokio::test]
async fn a_fetched_file_is_the_stored_one_without_a_copy() {
    use std::os::unix::fs::MetadataExt as _;
    let app = test_app();
    app.storage.put(&key(1), Bytes::from_static(b"x")).await.unwrap();
    let path = app.dir.path().join("in");
    app.storage.fetch_to(&key(1), &path).await.unwrap();
    let inode = |path: &Path| fs::metadata(path).unwrap().ino();
    assert_eq!(inode(&path), inode(&app.storage.local_path(&key(1)).unwrap()));
}
