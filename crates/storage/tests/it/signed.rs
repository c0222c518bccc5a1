//! A bucket behind a network, at a server that checks signatures and is not ours (s3s-fs).

use std::path::PathBuf;

use bytes::Bytes;
use futures::stream::TryStreamExt as _;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use kernel::{Ambient, Uid};
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use storage::{ByteRange, ReceiveError, Storage, StorageError, StorageSettings};

use crate::{bytes, frames, key, read};

const ACCESS: &str = "AKVITRINE";
const SECRET: &str = "a secret of forty letters for the tests!";

/// The server and the bucket `media` in it.
pub struct House {
    settings: StorageSettings,
    dir: tempfile::TempDir,
}

impl House {
    pub async fn open() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("media")).unwrap();
        let mut service = S3ServiceBuilder::new(FileSystem::new(dir.path()).unwrap());
        service.set_auth(SimpleAuth::from_single(ACCESS, SECRET));
        let service = service.build();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    // A client that went away is no fault of the test.
                    let _ = Builder::new(TokioExecutor::new())
                        .serve_connection(TokioIo::new(socket), service)
                        .await;
                });
            }
        });
        let settings = StorageSettings {
            storage_url: "s3://media/a/prefix".into(),
            s3_endpoint: endpoint,
            s3_region: "us-east-1".into(),
            s3_access_key: ACCESS.into(),
            s3_secret_key: SECRET.into(),
        };
        Self { settings, dir }
    }

    pub fn storage(&self) -> Storage {
        self.with(self.settings.clone())
    }

    fn with(&self, settings: StorageSettings) -> Storage {
        Storage::open(&settings, self.dir.path(), Ambient::system()).unwrap()
    }

    /// The files of the bucket, from its root.
    fn files(&self) -> Vec<PathBuf> {
        fn below(path: PathBuf, found: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(path).unwrap().flatten() {
                if entry.path().is_dir() { below(entry.path(), found) } else { found.push(entry.path()) }
            }
        }
        let (root, mut found) = (self.dir.path().join("media"), Vec::new());
        below(root.clone(), &mut found);
        found.iter().map(|path| path.strip_prefix(&root).unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn ranges_come_from_the_bucket_as_they_were_asked_for() {
    let house = House::open().await;
    let storage = house.storage();
    let data = bytes(9_500_000);
    storage.receive(&key(1), 9_500_000, frames(&data, 65_536)).await.unwrap().commit().await.unwrap();
    assert_eq!(storage.stat(&key(1)).await.unwrap(), 9_500_000);
    // Not the last so many bytes: this server answers those with others (components of the bucket, not of ours).
    for (asked, bytes) in [
        (None, 0..9_500_000),
        (Some(ByteRange::Between(0, 0)), 0..1),
        (Some(ByteRange::Between(8_388_607, 8_388_609)), 8_388_607..8_388_610),
        (Some(ByteRange::Between(9_499_999, 99_999_999)), 9_499_999..9_500_000),
        (Some(ByteRange::From(9_000_000)), 9_000_000..9_500_000),
    ] {
        let object = storage.open_object(&key(1), asked).await.unwrap();
        assert_eq!((object.len, object.range.clone()), (9_500_000, bytes.start as u64..bytes.end as u64));
        assert!(read(object).await == data[bytes], "{asked:?}");
    }
    let behind = storage.open_object(&key(1), Some(ByteRange::From(9_500_000))).await.err().unwrap();
    assert!(matches!(behind, StorageError::OutsideObject { len: 9_500_000 }), "{behind}");
}

#[tokio::test]
async fn a_content_is_removed_with_all_its_files_and_no_other() {
    let house = House::open().await;
    let storage = house.storage();
    let other = storage::Key::image([7; 16]);
    for key in [&key(1), &key(2), &other] {
        storage.put(key, Bytes::from_static(b"x")).await.unwrap();
    }
    storage.delete_content(Uid::from_u128(1), Uid::from_u128(2)).await.unwrap();
    storage.delete_content(Uid::from_u128(1), Uid::from_u128(2)).await.unwrap();
    assert!(!storage.exists(&key(1)).await.unwrap() && storage.exists(&other).await.unwrap());
    assert_eq!(house.files().len(), 1, "{:?}", house.files());
}

#[tokio::test]
async fn wrong_keys_are_refused_with_a_sentence_that_says_what_to_do() {
    let house = House::open().await;
    house.storage().check().await.unwrap();
    house.storage().put(&key(1), Bytes::from_static(b"x")).await.unwrap();
    let tampered = [
        StorageSettings { s3_secret_key: "another".into(), ..house.settings.clone() },
        StorageSettings { s3_access_key: "AKNOBODY".into(), ..house.settings.clone() },
    ];
    for settings in tampered {
        let storage = house.with(settings);
        let error = storage.check().await.unwrap_err();
        assert!(matches!(error, StorageError::Denied(_)), "{error}");
        assert!(error.to_string().contains("check s3_access_key, s3_secret_key"), "{error}");
        assert!(!error.to_string().contains(SECRET));
        let put = storage.receive(&key(1), 3, frames(b"new", 1)).await.err().unwrap();
        assert!(matches!(put, ReceiveError::Storage(StorageError::Denied(_))), "{put}");
        assert!(matches!(storage.delete(&key(1)).await, Err(StorageError::Denied(_))));
        assert!(matches!(storage.open_object(&key(1), None).await, Err(StorageError::Denied(_))));
    }
    let nowhere = StorageSettings { storage_url: "s3://nowhere".into(), ..house.settings.clone() };
    let error = house.with(nowhere).check().await.unwrap_err();
    assert!(error.to_string().contains("a bucket that is not there"), "{error}");
    let object = house.storage().open_object(&key(1), None).await.unwrap();
    assert_eq!(object.stream.try_collect::<Vec<_>>().await.unwrap().concat(), b"x");
}
