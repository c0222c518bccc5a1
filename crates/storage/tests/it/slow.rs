//! A bucket behind a slow connection. The client's timeouts are a hundredth of the usual ones, and so is the
//! video.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::StreamExt as _;
use kernel::Ambient;
use object_store::aws::AmazonS3Builder;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use storage::{ByteRange, Storage};
use testkit::SignedBucket;

use crate::{bytes, frames, key, read, signed};

const LEN: u64 = 12_000_000;
/// Bytes per second: the whole video takes three seconds.
const RATE: usize = 4_000_000;

/// A client that allows a request 300 ms including its body, and 1.8 s including all retries.
async fn impatient(signed_bucket: &SignedBucket, rate: usize) -> Storage {
    let settings = signed_bucket.over_slow_link(rate).await;
    let backoff = BackoffConfig { init_backoff: Duration::from_millis(10), ..BackoffConfig::default() };
    let retry = RetryConfig { backoff, max_retries: 10, retry_timeout: Duration::from_millis(1_800) };
    let store = AmazonS3Builder::new()
        .with_bucket_name("media")
        .with_endpoint(&settings.s3_endpoint)
        .with_region(&settings.s3_region)
        .with_access_key_id(&settings.s3_access_key)
        .with_secret_access_key(&settings.s3_secret_key)
        .with_client_options(
            ClientOptions::new().with_timeout(Duration::from_millis(300)).with_allow_http(true),
        )
        .with_retry(retry)
        .build();
    Storage::from_store(Arc::new(store.unwrap()), Ambient::system())
}

/// Returns a bucket that contains one video, and the bytes of the video.
async fn bucket_with_a_video() -> (SignedBucket, Vec<u8>) {
    let signed_bucket = SignedBucket::open().await;
    let data = bytes(usize::try_from(LEN).unwrap());
    let settings = storage::StorageSettings { storage_url: "s3://media".into(), ..signed_bucket.settings() };
    let storage = Storage::open(&settings, std::path::Path::new("/nowhere"), Ambient::system()).unwrap();
    storage.receive(&key(1), LEN, frames(&data, 65_536)).await.unwrap().commit().await.unwrap();
    (signed_bucket, data)
}

#[tokio::test]
async fn a_video_that_takes_longer_than_the_request_timeout_is_read_completely() {
    let (signed_bucket, data) = bucket_with_a_video().await;
    let storage = impatient(&signed_bucket, RATE).await;
    let object = storage.open_object(&key(1), None).await.unwrap();
    assert_eq!((object.len, object.range.clone()), (LEN, 0..LEN));
    assert!(read(object).await == data);
    let part = storage.open_object(&key(1), Some(ByteRange::From(1_000_000))).await.unwrap();
    assert!(read(part).await == data[1_000_000..]);
    let folder = tempfile::tempdir().unwrap();
    storage.fetch_to(&key(1), &folder.path().join("video")).await.unwrap();
    assert!(std::fs::read(folder.path().join("video")).unwrap() == data);
}

#[tokio::test]
async fn a_reader_slower_than_the_request_timeout_gets_everything() {
    let (signed_bucket, data) = bucket_with_a_video().await;
    let storage = impatient(&signed_bucket, 400_000_000).await;
    let mut stream = storage.open_object(&key(1), None).await.unwrap().stream;
    let mut got = Vec::new();
    while let Some(chunk) = stream.next().await {
        got.extend_from_slice(&chunk.unwrap());
        let seconds = got.len() as f64 / RATE as f64;
        tokio::time::sleep(Duration::from_secs_f64(seconds.min(0.05))).await;
    }
    assert!(got == data);
}

#[tokio::test]
async fn a_video_larger_than_a_request_is_read_in_several() {
    let signed_bucket = SignedBucket::open().await;
    let storage = signed::signed(&signed_bucket);
    let data = bytes(36_000_001);
    storage.receive(&key(1), 36_000_001, frames(&data, 1 << 20)).await.unwrap().commit().await.unwrap();
    assert!(read(storage.open_object(&key(1), None).await.unwrap()).await == data);
    let range = Some(ByteRange::Between(10_000_000, 34_000_000));
    let part = storage.open_object(&key(1), range).await.unwrap();
    assert_eq!((part.len, part.range.clone()), (36_000_001, 10_000_000..34_000_001));
    assert!(read(part).await == data[10_000_000..=34_000_000]);
}

#[tokio::test]
async fn an_object_deleted_while_it_is_read_fails_the_read() {
    let (signed_bucket, data) = bucket_with_a_video().await;
    let storage = impatient(&signed_bucket, RATE).await;
    let mut stream = storage.open_object(&key(1), None).await.unwrap().stream;
    let first = stream.next().await.unwrap().unwrap();
    assert!(data.starts_with(&first));
    storage.delete(&key(1)).await.unwrap();
    let mut last = Ok(first);
    while let Some(chunk) = stream.next().await {
        last = chunk;
    }
    assert!(last.is_err(), "a truncated stream must not look complete");
}
