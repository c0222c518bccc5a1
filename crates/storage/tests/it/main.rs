//! The guarantees of the storage, on a folder and over the code that S3 uses.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

/// Runs a test on a folder, on a bucket in memory, and on a bucket behind a server that checks signatures.
macro_rules! on_all {
    ($($name:ident: $test:ident;)*) => { $(mod $name {
        #[tokio::test]
        async fn in_a_folder() {
            let app = crate::test_app();
            super::$test(&app.storage).await;
        }
        #[tokio::test]
        async fn in_a_bucket() {
            super::$test(&crate::bucket()).await;
        }
        #[tokio::test]
        async fn in_a_bucket_that_checks_signatures() {
            let signed_bucket = testkit::SignedBucket::open().await;
            super::$test(&crate::signed::signed(&signed_bucket)).await;
        }
    })* };
}

mod cache;
mod folder;
mod free_space;
mod identity;
mod lifecycle;
mod list;
mod resume;
mod signed;
mod slow;
mod streams;

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use bytes::Bytes;
use futures::stream::{self, Stream, TryStreamExt as _};
use kernel::{Ambient, ContentId, OrgId, VersionId};
use storage::{Key, Name, Object, Storage, StorageSettings, Version};

/// A storage and its folder.
struct TestApp {
    storage: Storage,
    dir: tempfile::TempDir,
}

fn test_app() -> TestApp {
    let dir = tempfile::tempdir().unwrap();
    let storage = Storage::open(&StorageSettings::default(), dir.path(), Ambient::system()).unwrap();
    TestApp { storage, dir }
}

/// The same API over the multipart code, with an in-memory store.
fn bucket() -> Storage {
    Storage::from_store(Arc::new(object_store::memory::InMemory::new()), Ambient::system())
}

fn key(number: u128) -> Key {
    Key::content(
        OrgId::from_u128(1),
        ContentId::from_u128(2),
        &Name::version(Version::Source, VersionId::from_u128(number)),
    )
}

/// Bytes with a long period, so that a shifted copy is detected.
fn bytes(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

fn frames(data: &[u8], frame: usize) -> impl Stream<Item = Result<Bytes, std::io::Error>> + Send + use<> {
    let frames: Vec<_> = data.chunks(frame).map(|frame| Ok(Bytes::copy_from_slice(frame))).collect();
    stream::iter(frames)
}

async fn read(object: Object) -> Vec<u8> {
    object
        .stream
        .try_fold(Vec::new(), |mut all, chunk| async move {
            all.extend_from_slice(&chunk);
            Ok(all)
        })
        .await
        .unwrap()
}

/// The digest computed by openssl, an independent implementation.
fn openssl(digest: &str, data: &[u8]) -> String {
    let mut child = Command::new("openssl")
        .args(["dgst", "-r", digest])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(data).unwrap();
    let out = child.wait_with_output().unwrap();
    String::from_utf8(out.stdout).unwrap().split_whitespace().next().unwrap().to_owned()
}
