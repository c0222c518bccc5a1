//! Streams that arrive in several requests.

use std::fs;

use bytes::Bytes;
use kernel::{DAY, ResumableId};
use storage::{Progress, ReceiveError, ResumableStream, Storage, StorageError};

use crate::signed::signed;
use crate::{bucket, bytes, key, openssl, read, test_app};

const STREAM: ResumableId = ResumableId::from_u128(77);

on_all! {
    chunks_of_any_size_give_the_whole_and_the_digests_of_openssl: chunks;
    bytes_that_were_not_kept_are_forgotten: forgotten;
    a_commit_that_was_not_recorded_loses_nothing_that_was_kept: unrecorded_commit;
    nothing_is_visible_before_the_commit: invisible;
    more_than_was_announced_is_refused: too_long;
    a_discarded_stream_is_gone: discarded;
}

async fn feed(appending: &mut ResumableStream, data: &[u8]) {
    for frame in data.chunks(65_521) {
        let mut frame = Bytes::copy_from_slice(frame);
        while !frame.is_empty() {
            appending.write(&mut frame).await.unwrap();
        }
    }
}

/// Continues the stream as another process would: from the saved progress.
async fn resume(storage: &Storage, len: usize, written: &str) -> ResumableStream {
    storage.resume(STREAM, len as u64, Progress::parse(written).unwrap()).await.unwrap()
}

fn none() -> String {
    Progress::new(&key(1)).to_text()
}

async fn chunks(storage: &Storage) {
    for (len, cuts) in [
        (1, vec![]),
        (8 << 20, vec![8 << 20]),
        (19_000_001, vec![1, 4_095, 4_097, 8 << 20, (8 << 20) + 1, 9_000_000, 19_000_000]),
        (40_000_000, vec![33_554_432, 33_554_433]),
    ] {
        let data = bytes(len);
        let (mut written, mut at) = (none(), 0);
        for cut in cuts.into_iter().filter(|cut| *cut < len).chain([len]) {
            let mut appending = resume(storage, len, &written).await;
            assert_eq!(appending.offset(), at as u64);
            feed(&mut appending, &data[at..cut]).await;
            if cut == len {
                let mut complete = appending.finish().await.unwrap();
                let received = complete.received().clone();
                assert_eq!(received.len, len as u64);
                assert_eq!(hex::encode(received.md5), openssl("-md5", &data));
                assert_eq!(hex::encode(received.sha256), openssl("-sha256", &data));
                assert_eq!(received.head, data[..len.min(4096)]);
                complete.commit().await.unwrap();
                storage.discard(STREAM, &complete.into_progress()).await.unwrap();
            } else {
                written = appending.keep().await.unwrap().to_text();
            }
            at = cut;
        }
        assert!(read(storage.open_object(&key(1), None).await.unwrap()).await == data, "{len}");
        storage.delete(&key(1)).await.unwrap();
    }
}

async fn forgotten(storage: &Storage) {
    let data = bytes(20_000_000);
    let mut first = resume(storage, data.len(), &none()).await;
    feed(&mut first, &data[..9_000_000]).await;
    let written = first.keep().await.unwrap().to_text();
    // More arrives and the process dies before it is kept: once other bytes, once the same number of bytes.
    feed(&mut first, &bytes(9_000_000)[..]).await;
    first.release().await;
    let mut second = resume(storage, data.len(), &written).await;
    assert_eq!(second.offset(), 9_000_000);
    feed(&mut second, &data[9_000_000..18_000_000]).await;
    drop(second.keep().await.unwrap());
    second.release().await;
    let mut third = resume(storage, data.len(), &written).await;
    feed(&mut third, &data[9_000_000..]).await;
    let mut complete = third.finish().await.unwrap();
    assert_eq!(hex::encode(complete.received().md5), openssl("-md5", &data));
    complete.commit().await.unwrap();
    assert!(read(storage.open_object(&key(1), None).await.unwrap()).await == data);
}

async fn unrecorded_commit(storage: &Storage) {
    let data = bytes(20_000_000);
    let mut first = resume(storage, data.len(), &none()).await;
    feed(&mut first, &data[..17_000_000]).await;
    let written = first.keep().await.unwrap().to_text();
    first.release().await;
    for _ in 0..2 {
        let mut again = resume(storage, data.len(), &written).await;
        feed(&mut again, &data[17_000_000..]).await;
        let mut complete = again.finish().await.unwrap();
        assert_eq!(hex::encode(complete.received().md5), openssl("-md5", &data));
        // Here the process dies: the object is stored under its key, and no row refers to it.
        complete.commit().await.unwrap();
        drop(complete);
        assert!(read(storage.open_object(&key(1), None).await.unwrap()).await == data);
    }
    storage.discard(STREAM, &Progress::parse(&written).unwrap()).await.unwrap();
    assert!(read(storage.open_object(&key(1), None).await.unwrap()).await == data);
}

async fn invisible(storage: &Storage) {
    storage.put(&key(1), Bytes::from_static(b"old")).await.unwrap();
    let mut appending = resume(storage, 3, &none()).await;
    feed(&mut appending, b"new").await;
    let mut complete = appending.finish().await.unwrap();
    assert_eq!(read(storage.open_object(&key(1), None).await.unwrap()).await, b"old");
    complete.commit().await.unwrap();
    assert_eq!(read(storage.open_object(&key(1), None).await.unwrap()).await, b"new");
}

async fn too_long(storage: &Storage) {
    let mut appending = resume(storage, 3, &none()).await;
    let error = appending.write(&mut Bytes::from_static(b"long")).await.err().unwrap();
    assert!(matches!(error, ReceiveError::TooLong { expected: 3 }), "{error}");
    appending.release().await;
    let mut again = resume(storage, 3, &none()).await;
    feed(&mut again, b"ab").await;
    let error = again.finish().await.err().unwrap();
    assert!(matches!(error, ReceiveError::TooShort { got: 2, expected: 3 }), "{error}");
}

async fn discarded(storage: &Storage) {
    let data = bytes(9_000_000);
    let mut appending = resume(storage, 20_000_000, &none()).await;
    feed(&mut appending, &data).await;
    let progress = appending.keep().await.unwrap();
    appending.release().await;
    for _ in 0..2 {
        storage.discard(STREAM, &progress).await.unwrap();
    }
    let error = storage.resume(STREAM, 20_000_000, progress).await.err().unwrap();
    assert!(matches!(error, StorageError::Missing), "{error}");
}

#[tokio::test]
async fn no_other_process_continues_a_file_that_is_being_written() {
    let app = test_app();
    let first = resume(&app.storage, 9, &none()).await;
    let error = app.storage.resume(STREAM, 9, Progress::new(&key(1))).await.err().unwrap();
    assert!(matches!(error, StorageError::Busy), "{error}");
    first.release().await;
    let mut second = resume(&app.storage, 9, &none()).await;
    feed(&mut second, b"123456789").await;
    let mut complete = second.finish().await.unwrap();
    complete.commit().await.unwrap();
    let error = app.storage.resume(STREAM, 9, Progress::new(&key(1))).await.err().unwrap();
    assert!(matches!(error, StorageError::Busy), "until a row refers to it: {error}");
}

#[tokio::test]
async fn only_the_file_is_left_in_the_folder() {
    let app = test_app();
    let mut appending = resume(&app.storage, 3, &none()).await;
    feed(&mut appending, b"abc").await;
    let mut complete = appending.finish().await.unwrap();
    complete.commit().await.unwrap();
    let staging = app.dir.path().join("objects/staging");
    assert_eq!(fs::read_dir(&staging).unwrap().count(), 1, "the second link is gone, the first one remains");
    app.storage.discard(STREAM, &complete.into_progress()).await.unwrap();
    assert_eq!(fs::read_dir(&staging).unwrap().count(), 0);
}

#[tokio::test]
async fn streams_that_can_be_resumed_are_not_swept() {
    let app = test_app();
    let signed_bucket = testkit::SignedBucket::open().await;
    for storage in [&app.storage, &bucket(), &signed(&signed_bucket)] {
        let mut appending = resume(storage, 9, &none()).await;
        feed(&mut appending, b"123").await;
        let progress = appending.keep().await.unwrap();
        appending.release().await;
        // A negative age: everything began before then.
        assert_eq!(storage.sweep(-DAY, [STREAM].into()).await.unwrap(), 0);
        assert_eq!(resume(storage, 9, &progress.to_text()).await.offset(), 3);
        assert_eq!(storage.sweep(-DAY, [].into()).await.unwrap(), 1);
        let error = storage.resume(STREAM, 9, progress).await.err().unwrap();
        assert!(matches!(error, StorageError::Missing), "{error}");
    }
}
