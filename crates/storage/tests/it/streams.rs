//! Receiving and reading streams.

use bytes::Bytes;
use futures::stream::{self, StreamExt as _};
use storage::{ByteRange, ReceiveError, Storage, StorageError};

use crate::{bucket, bytes, frames, key, openssl, read, test_app};

on_all! {
    a_stream_is_read_back_with_the_digests_of_openssl: round_trip;
    wrong_lengths_are_distinguished_and_leave_nothing: wrong_lengths;
    a_broken_stream_leaves_nothing_and_a_second_one_works: broken;
    nothing_is_visible_before_the_commit: commit;
    deleting_twice_is_no_error: delete;
    ranges_are_exact_and_refused_beyond_the_end: ranges;
}

async fn round_trip(storage: &Storage) {
    for (number, (len, frame)) in
        [(1, 1), (4095, 7), (1 << 20, 8192), (19_000_001, 65_521)].into_iter().enumerate()
    {
        let data = bytes(len);
        let key = key(number as u128);
        let staged = storage.receive(&key, len as u64, frames(&data, frame)).await.unwrap();
        let received = staged.commit().await.unwrap();
        assert_eq!(received.len, len as u64);
        assert_eq!(hex::encode(received.md5), openssl("-md5", &data));
        assert_eq!(hex::encode(received.sha256), openssl("-sha256", &data));
        assert_eq!(received.head, data[..len.min(4096)]);
        assert!(read(storage.open_object(&key, None).await.unwrap()).await == data);
    }
}

async fn wrong_lengths(storage: &Storage) {
    let data = bytes(3_000_000);
    let short = storage.receive(&key(1), 3_000_001, frames(&data, 4096)).await.err().unwrap();
    assert!(matches!(short, ReceiveError::TooShort { got: 3_000_000, expected: 3_000_001 }), "{short}");
    let long = storage.receive(&key(1), 2_999_999, frames(&data, 4096)).await.err().unwrap();
    assert!(matches!(long, ReceiveError::TooLong { expected: 2_999_999 }), "{long}");
    assert!(!storage.exists(&key(1)).await.unwrap());
}

async fn broken(storage: &Storage) {
    let data = bytes(5_000_000);
    let cut = frames(&data[..4_000_000], 4096).chain(stream::iter([Err(std::io::Error::other("gone"))]));
    let error = storage.receive(&key(1), 5_000_000, cut).await.err().unwrap();
    assert!(matches!(error, ReceiveError::Broken(_)), "{error}");
    assert!(!storage.exists(&key(1)).await.unwrap());
    storage.receive(&key(1), 5_000_000, frames(&data, 4096)).await.unwrap().commit().await.unwrap();
    assert!(storage.exists(&key(1)).await.unwrap());
}

async fn commit(storage: &Storage) {
    storage.put(&key(1), Bytes::from_static(b"old")).await.unwrap();
    let staged = storage.receive(&key(1), 3, frames(b"new", 1)).await.unwrap();
    assert_eq!(read(storage.open_object(&key(1), None).await.unwrap()).await, b"old");
    drop(storage.receive(&key(1), 3, frames(b"bad", 1)).await.unwrap());
    staged.commit().await.unwrap();
    assert_eq!(read(storage.open_object(&key(1), None).await.unwrap()).await, b"new");
}

async fn ranges(storage: &Storage) {
    let data = bytes(2_500_000);
    storage.put(&key(1), data.clone().into()).await.unwrap();
    let cases = [
        (ByteRange::Between(0, 0), 0..1),
        (ByteRange::Between(524_287, 1_048_576), 524_287..1_048_577),
        (ByteRange::Between(2_499_999, 9_999_999), 2_499_999..2_500_000),
        (ByteRange::From(1_000_000), 1_000_000..2_500_000),
        (ByteRange::Last(10), 2_499_990..2_500_000),
        (ByteRange::Last(9_999_999), 0..2_500_000),
    ];
    for (range, bytes) in cases {
        let object = storage.open_object(&key(1), Some(range)).await.unwrap();
        assert_eq!((object.len, object.range.clone()), (2_500_000, bytes.clone()), "{range:?}");
        assert!(read(object).await == data[bytes.start as usize..bytes.end as usize], "{range:?}");
    }
    for range in [ByteRange::From(2_500_000), ByteRange::Between(2_500_000, 2_500_001)] {
        let error = storage.open_object(&key(1), Some(range)).await.err().unwrap();
        assert!(matches!(error, StorageError::OutsideObject { len: 2_500_000 }), "{range:?} {error}");
    }
    assert!(matches!(storage.open_object(&key(9), None).await.err().unwrap(), StorageError::Missing));
}

async fn delete(storage: &Storage) {
    for number in [1, 2] {
        storage.put(&key(number), Bytes::from_static(b"x")).await.unwrap();
    }
    storage.delete(&key(1)).await.unwrap();
    storage.delete(&key(1)).await.unwrap();
    assert!(!storage.exists(&key(1)).await.unwrap() && storage.exists(&key(2)).await.unwrap());
    let (org, content) = (kernel::OrgId::from_u128(1), kernel::ContentId::from_u128(2));
    storage.delete_content(org, content).await.unwrap();
    storage.delete_content(org, content).await.unwrap();
    assert!(!storage.exists(&key(2)).await.unwrap());
}

#[tokio::test]
async fn an_object_of_a_bucket_is_fetched_as_a_file() {
    let (storage, app) = (bucket(), test_app());
    let data = bytes(9_000_000);
    storage.receive(&key(1), 9_000_000, frames(&data, 100_000)).await.unwrap().commit().await.unwrap();
    let path = app.dir.path().join("fetched");
    storage.fetch_to(&key(1), &path).await.unwrap();
    assert!(std::fs::read(path).unwrap() == data);
    assert_eq!(storage.local_path(&key(1)), None);
}
