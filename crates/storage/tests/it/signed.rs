//! A bucket behind an independent server that checks signatures (s3s-fs).

use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt as _;
use futures::stream::TryStreamExt as _;
use kernel::{Ambient, ContentId, OrgId};
use storage::{ByteRange, ReceiveError, Storage, StorageError, StorageSettings};
use testkit::SignedBucket;

use crate::{bytes, frames, key, read};

/// Opens the storage that the settings describe.
fn with(settings: &StorageSettings) -> Storage {
    // A bucket keeps nothing in a folder.
    Storage::open(settings, std::path::Path::new("/nowhere"), Ambient::system()).unwrap()
}

/// Opens the storage in the bucket.
pub fn signed(signed_bucket: &SignedBucket) -> Storage {
    with(&signed_bucket.settings())
}

#[tokio::test]
async fn the_bucket_returns_the_requested_ranges() {
    let signed_bucket = SignedBucket::open().await;
    let storage = signed(&signed_bucket);
    let data = bytes(9_500_000);
    storage.receive(&key(1), 9_500_000, frames(&data, 65_536)).await.unwrap().commit().await.unwrap();
    assert_eq!(storage.stat(&key(1)).await.unwrap(), 9_500_000);
    for (range, bytes) in [
        (None, 0..9_500_000),
        (Some(ByteRange::Between(0, 0)), 0..1),
        (Some(ByteRange::Between(8_388_607, 8_388_609)), 8_388_607..8_388_610),
        (Some(ByteRange::Between(9_499_999, 99_999_999)), 9_499_999..9_500_000),
        (Some(ByteRange::From(9_000_000)), 9_000_000..9_500_000),
        (Some(ByteRange::Last(9_000_000)), 500_000..9_500_000),
    ] {
        let object = storage.open_object(&key(1), range).await.unwrap();
        assert_eq!((object.len, object.range.clone()), (9_500_000, bytes.start as u64..bytes.end as u64));
        assert!(read(object).await == data[bytes], "{range:?}");
    }
    let behind = storage.open_object(&key(1), Some(ByteRange::From(9_500_000))).await.err().unwrap();
    assert!(matches!(behind, StorageError::OutsideObject { len: 9_500_000 }), "{behind}");
}

#[tokio::test]
async fn a_commit_whose_caller_is_gone_runs_to_its_end() {
    let signed_bucket = SignedBucket::open().await;
    let staged = signed(&signed_bucket).receive(&key(1), 3, frames(b"abc", 1)).await.unwrap();
    assert!(staged.commit().now_or_never().is_none(), "its request goes before the bucket has answered");
    let ended = async {
        while signed_bucket.objects().is_empty() || signed_bucket.open_uploads() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), ended).await.unwrap();
}

#[tokio::test]
async fn a_content_item_is_removed_with_all_its_files_and_no_other() {
    let signed_bucket = SignedBucket::open().await;
    let storage = signed(&signed_bucket);
    let other = storage::Key::image([7; 16]);
    for key in [&key(1), &key(2), &other] {
        storage.put(key, Bytes::from_static(b"x")).await.unwrap();
    }
    storage.delete_content(OrgId::from_u128(1), ContentId::from_u128(2)).await.unwrap();
    storage.delete_content(OrgId::from_u128(1), ContentId::from_u128(2)).await.unwrap();
    assert!(!storage.exists(&key(1)).await.unwrap() && storage.exists(&other).await.unwrap());
    assert_eq!(signed_bucket.objects().len(), 1, "{:?}", signed_bucket.objects());
}

#[tokio::test]
async fn wrong_keys_are_refused_with_a_message_that_says_what_to_do() {
    let signed_bucket = SignedBucket::open().await;
    signed(&signed_bucket).check().await.unwrap();
    signed(&signed_bucket).put(&key(1), Bytes::from_static(b"x")).await.unwrap();
    let tampered = [
        StorageSettings { s3_secret_key: "another".into(), ..signed_bucket.settings() },
        StorageSettings { s3_access_key: "AKNOBODY".into(), ..signed_bucket.settings() },
    ];
    for settings in tampered {
        let storage = with(&settings);
        let error = storage.check().await.unwrap_err();
        assert!(matches!(error, StorageError::Denied(_)), "{error}");
        assert!(error.to_string().contains("check s3_access_key, s3_secret_key"), "{error}");
        assert!(!error.to_string().contains(&signed_bucket.settings().s3_secret_key));
        let put = storage.receive(&key(1), 3, frames(b"new", 1)).await.err().unwrap();
        assert!(matches!(put, ReceiveError::Storage(StorageError::Denied(_))), "{put}");
        assert!(matches!(storage.delete(&key(1)).await, Err(StorageError::Denied(_))));
        assert!(matches!(storage.open_object(&key(1), None).await, Err(StorageError::Denied(_))));
    }
    let nowhere = StorageSettings { storage_url: "s3://nowhere".into(), ..signed_bucket.settings() };
    let error = with(&nowhere).check().await.unwrap_err();
    assert!(error.to_string().contains("does not exist or cannot be listed"), "{error}");
    let object = signed(&signed_bucket).open_object(&key(1), None).await.unwrap();
    assert_eq!(object.stream.try_collect::<Vec<_>>().await.unwrap().concat(), b"x");
}
