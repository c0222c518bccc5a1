//! Copies of what a bucket holds.

use std::fs;
use std::path::PathBuf;

use bytes::Bytes;
use futures::TryStreamExt as _;
use kernel::{Ambient, ContentId, OrgId, RunId};
use storage::{ByteRange, Key, Name, Storage, StorageError, Version};
use testkit::SignedBucket;

/// A storage with copies of at most a megabyte.
struct Cached {
    bucket: SignedBucket,
    storage: Storage,
    folder: tempfile::TempDir,
    owner: (OrgId, ContentId, RunId),
}

impl Cached {
    async fn open() -> Self {
        let (bucket, folder, ambient) =
            (SignedBucket::open().await, tempfile::tempdir().unwrap(), Ambient::system());
        let owner = (ambient.uid(), ambient.uid(), ambient.uid());
        let opened = Storage::open(&bucket.settings(), folder.path(), ambient).unwrap();
        let storage = opened.with_cache(&folder.path().join("cache"), 1_000_000).unwrap();
        Self { bucket, storage, folder, owner }
    }

    fn segment(&self, name: &str) -> Key {
        let (org, content, run) = self.owner;
        Key::rendition(org, content, run, &Name::parse(name).unwrap())
    }

    async fn put(&self, key: &Key, byte: u8, len: usize) {
        self.storage.put(key, Bytes::from(vec![byte; len])).await.unwrap();
    }

    /// Removes an object as another server would.
    fn vanish(&self, key: &Key) {
        fs::remove_file(self.path(key)).unwrap();
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.bucket.folder().join(key.as_str())
    }

    async fn read(&self, key: &Key, range: Option<ByteRange>) -> Result<Vec<u8>, StorageError> {
        let object = self.storage.open_object(key, range).await?;
        let chunks: Vec<Bytes> = object.stream.try_collect().await?;
        Ok(chunks.concat())
    }

    async fn is_missing(&self, key: &Key) -> bool {
        matches!(self.read(key, None).await, Err(StorageError::Missing))
    }
}

#[tokio::test]
async fn a_segment_is_fetched_once_and_sent_from_its_copy() {
    let cached = Cached::open().await;
    let key = cached.segment("a.m4s");
    cached.put(&key, 7, 200_000).await;
    assert_eq!(cached.read(&key, Some(ByteRange::Between(5, 9))).await.unwrap(), [7; 5]);
    cached.vanish(&key);
    assert_eq!(cached.read(&key, None).await.unwrap(), vec![7; 200_000]);
    assert_eq!(cached.read(&key, Some(ByteRange::Last(3))).await.unwrap(), [7; 3]);
    let outside = cached.read(&key, Some(ByteRange::From(200_000))).await;
    assert!(matches!(outside, Err(StorageError::OutsideObject { len: 200_000 })));
    let named = fs::read_dir(cached.folder.path().join("cache")).unwrap().count();
    assert_eq!(named, 0, "copies have no names, so that none is left after the end");
}

#[tokio::test]
async fn only_segments_are_copied_and_none_that_is_longer_than_the_cache() {
    let cached = Cached::open().await;
    let (org, content, _) = cached.owner;
    let source = Key::content(org, content, &Name::version(Version::Source, Ambient::system().uid()));
    let long = cached.segment("long.m4s");
    for (key, len) in [(&source, 1_000), (&long, 1_000_001)] {
        cached.put(key, 1, len).await;
        assert_eq!(cached.read(key, Some(ByteRange::Between(0, 1))).await.unwrap(), [1; 2]);
        assert_eq!(cached.read(key, None).await.unwrap().len(), len);
        cached.vanish(key);
        assert!(cached.is_missing(key).await, "{key}");
    }
}

#[tokio::test]
async fn the_least_recently_used_copy_gives_way() {
    let cached = Cached::open().await;
    let keys: Vec<Key> = ["a", "b", "c", "d"].map(|name| cached.segment(name)).into();
    for key in &keys {
        cached.put(key, 1, 300_000).await;
    }
    for at in [0, 1, 2, 0, 3] {
        cached.read(&keys[at], None).await.unwrap();
    }
    keys.iter().for_each(|key| cached.vanish(key));
    let mut missing = Vec::new();
    for key in &keys {
        missing.push(cached.is_missing(key).await);
    }
    assert_eq!(missing, [false, true, false, false]);
}

#[tokio::test]
async fn what_is_deleted_is_forgotten() {
    let cached = Cached::open().await;
    let (org, content, run) = cached.owner;
    let (one, other) = (cached.segment("a"), cached.segment("b"));
    for round in 0..3 {
        for key in [&one, &other] {
            cached.put(key, 1, 1_000).await;
            cached.read(key, None).await.unwrap();
        }
        match round {
            0 => {
                cached.storage.delete(&one).await.unwrap();
                cached.storage.delete(&other).await.unwrap();
            }
            1 => cached.storage.delete_rendition(org, content, run).await.unwrap(),
            _ => cached.storage.delete_content(org, content).await.unwrap(),
        }
        assert!(cached.is_missing(&one).await && cached.is_missing(&other).await, "round {round}");
    }
}

#[tokio::test]
async fn a_cache_that_cannot_be_written_is_passed_over() {
    let cached = Cached::open().await;
    let key = cached.segment("a");
    cached.put(&key, 3, 1_000).await;
    fs::remove_dir(cached.folder.path().join("cache")).unwrap();
    assert_eq!(cached.read(&key, Some(ByteRange::Between(0, 1))).await.unwrap(), [3; 2]);
    fs::create_dir(cached.folder.path().join("cache")).unwrap();
    cached.read(&key, None).await.unwrap();
    cached.vanish(&key);
    assert_eq!(cached.read(&key, None).await.unwrap().len(), 1_000);
}
