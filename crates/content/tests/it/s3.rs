//! Uploads and delivery with files in a bucket, on an independent S3 server that checks signatures.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::{Method, header};
use kernel::{DAY, HOUR};
use serde_json::json;
use testkit::SignedBucket;

use crate::captions::{self, CLEAN, SRT};
use crate::delivery::{fetch, value};
use crate::images::upload_image;
use crate::renditions::{beside, text, video};
use crate::tus::{offset, plays, send_chunk, start_upload, status};
use crate::tus_failures::cut;
use crate::{MP4, TestApp, TestOptions, file, ingest, mp4, put, put_body, test_app_with};

/// A setup whose files are in an empty bucket.
async fn in_bucket(without_ffmpeg: bool) -> (TestApp, SignedBucket) {
    let bucket = SignedBucket::open().await;
    let options = TestOptions { storage: bucket.settings(), without_ffmpeg, ..TestOptions::default() };
    (test_app_with(options).await, bucket)
}

/// Waits for the background task that cleans up after an interrupted request.
async fn no_upload_is_open(bucket: &SignedBucket) {
    let ended = async {
        while bucket.open_uploads() > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), ended).await.unwrap();
}

/// Returns the key of the only remaining object.
#[track_caller]
fn only(bucket: &SignedBucket) -> String {
    let objects = bucket.objects();
    let [one] = &objects[..] else { panic!("{objects:?}") };
    one.clone()
}

#[tokio::test]
async fn a_file_of_several_parts_is_received_and_served_whole() {
    let (app, bucket) = in_bucket(true).await;
    let leader = app.leader().await;
    let bytes = mp4(20_000_001);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    assert!(bucket.objects().is_empty(), "nothing is visible before the file is complete");
    put(&app.http, ingest(&upload), MP4, &bytes).await.expect(200);
    assert_eq!(status(&app, &upload).await["status"], "available");
    assert!(plays(&app, &upload, &bytes).await);
    let report = leader.get(&format!("/v1/content/{}/upload", text(&upload, "uid"))).await.expect(200);
    assert_eq!(report["served"]["received"]["sha256"], json!(openssl_sha256(&bytes)), "{report}");
    assert!(only(&bucket).contains("/source-"));
    assert_eq!(bucket.open_uploads(), 0);
    app.http.settle().await;
}

fn openssl_sha256(bytes: &[u8]) -> String {
    use std::io::Write as _;
    let mut child = std::process::Command::new("openssl")
        .args(["dgst", "-r", "-sha256"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap().stdout;
    String::from_utf8(output).unwrap().split_whitespace().next().unwrap().to_owned()
}

#[tokio::test]
async fn an_interrupted_upload_leaves_nothing_in_the_bucket_and_can_be_retried() {
    let (app, bucket) = in_bucket(true).await;
    let leader = app.leader().await;
    let bytes = mp4(20_000_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let broken = cut(&bytes[..17_000_000]);
    let answer = put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), broken).await.expect(408);
    assert_eq!(answer["code"], "broken_off");
    no_upload_is_open(&bucket).await;
    assert!(bucket.objects().is_empty());
    assert_eq!(status(&app, &upload).await["status"], "pending");
    put(&app.http, ingest(&upload), MP4, &bytes).await.expect(200);
    assert!(plays(&app, &upload, &bytes).await);
    only(&bucket);
    app.http.settle().await;
}

#[tokio::test]
async fn other_bytes_than_were_announced_are_never_in_the_bucket() {
    let (app, bucket) = in_bucket(true).await;
    let leader = app.leader().await;
    let bytes = mp4(9_000_000);
    let mut changed = bytes.clone();
    changed[8_500_000] ^= 1;
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let answer = put(&app.http, ingest(&upload), MP4, &changed).await.expect(400);
    assert_eq!(answer["code"], "checksum_mismatch");
    assert_eq!(status(&app, &upload).await["status"], "rejected");
    no_upload_is_open(&bucket).await;
    assert!(bucket.objects().is_empty());
    app.http.settle().await;
}

#[tokio::test]
async fn a_replaced_file_keeps_its_address_and_the_old_one_leaves_the_bucket() {
    let (app, bucket) = in_bucket(true).await;
    let leader = app.leader().await;
    let (old, new) = (mp4(1_000_000), mp4(9_000_000));
    let uid = app.upload(&leader, "a.mp4", MP4, &old).await;
    let before = only(&bucket);
    let url = text(&app.content(&leader, &uid).await, "url");
    let body = json!({"file": file("b.mp4", MP4, &new)});
    let upload = leader.post(&format!("/v1/content/{uid}"), body).await.expect(200);
    let anonymous = app.http.anonymous();
    assert!(anonymous.get(&url).await.bytes == old, "the old one is served until the new one is available");
    put(&app.http, ingest(&upload), MP4, &new).await.expect(200);
    assert!(anonymous.get(&url).await.bytes == new);
    app.http.run_jobs().await;
    assert_ne!(only(&bucket), before);
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_in_chunks_continues_after_an_interruption() {
    let (app, bucket) = in_bucket(true).await;
    let bytes = mp4(30_000_001);
    let (upload, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, cut(&bytes[..9_000_001])).await.expect(408);
    assert_eq!(offset(&app, &url).await, 9_000_001);
    // Too little for a separate part: an incomplete part waits in the bucket, invisible.
    send_chunk(&app, &url, 9_000_001, cut(&bytes[9_000_001..9_000_100])).await.expect(408);
    assert_eq!(offset(&app, &url).await, 9_000_100);
    assert!(bucket.objects().iter().all(|key| key.starts_with("staging/")), "{:?}", bucket.objects());
    assert_eq!(status(&app, &upload).await["status"], "pending");
    // Another server process can continue: it needs only the bucket and the database.
    send_chunk(&app, &url, 9_000_100, Bytes::copy_from_slice(&bytes[9_000_100..26_000_000]))
        .await
        .expect(204);
    send_chunk(&app, &url, 26_000_000, Bytes::copy_from_slice(&bytes[26_000_000..])).await.expect(204);
    assert_eq!(status(&app, &upload).await["status"], "available");
    assert!(plays(&app, &upload, &bytes).await);
    assert!(only(&bucket).contains("/source-"));
    assert_eq!(bucket.open_uploads(), 0);
    app.http.settle().await;
}

#[tokio::test]
async fn abandoned_chunks_are_removed_from_the_bucket_after_a_day() {
    let (app, bucket) = in_bucket(true).await;
    let bytes = mp4(20_000_000);
    let (_, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..9_000_000])).await.expect(204);
    assert_eq!(bucket.open_uploads(), 1);
    app.http.clock.advance(DAY + HOUR);
    app.purge().await;
    assert_eq!((bucket.open_uploads(), bucket.objects()), (0, vec![]));
    app.http.settle().await;
}

#[tokio::test]
async fn ranges_conditions_and_heads_are_answered_from_the_bucket() {
    let (app, _bucket) = in_bucket(true).await;
    let leader = app.leader().await;
    let bytes = mp4(9_000_000);
    let uid = app.upload(&leader, "a.mp4", MP4, &bytes).await;
    let url = text(&app.content(&leader, &uid).await, "url");
    let anonymous = app.http.anonymous();
    let head = fetch(&anonymous, Method::HEAD, &url, &[]).await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    assert_eq!(value(&head.headers, header::CONTENT_LENGTH), "9000000");
    assert_eq!(value(&head.headers, header::ACCEPT_RANGES), "bytes");
    for (range, first, end) in [
        ("bytes=0-1", 0, 2),
        ("bytes=8388607-8388609", 8_388_607, 8_388_610),
        ("bytes=8999999-99999999", 8_999_999, 9_000_000),
        ("bytes=8000000-", 8_000_000, 9_000_000),
        ("bytes=-500", 8_999_500, 9_000_000),
        ("bytes=-99999999", 0, 9_000_000),
    ] {
        let part = fetch(&anonymous, Method::GET, &url, &[(header::RANGE, range)]).await;
        assert_eq!(part.status, 206, "{range}");
        let expected = format!("bytes {first}-{}/9000000", end - 1);
        assert_eq!(value(&part.headers, header::CONTENT_RANGE), expected, "{range}");
        assert_eq!(value(&part.headers, header::CONTENT_LENGTH), (end - first).to_string(), "{range}");
        assert!(part.bytes == bytes[first..end], "{range}");
    }
    for range in ["bytes=9000000-", "bytes=-0"] {
        let outside = fetch(&anonymous, Method::GET, &url, &[(header::RANGE, range)]).await;
        assert_eq!(outside.expect(416)["code"], "range_outside", "{range}");
        assert_eq!(value(&outside.headers, header::CONTENT_RANGE), "bytes */9000000", "{range}");
    }
    let etag = value(&head.headers, header::ETAG).to_owned();
    let same = fetch(&anonymous, Method::GET, &url, &[(header::IF_NONE_MATCH, &etag)]).await;
    assert_eq!((same.status.as_u16(), same.bytes.len()), (304, 0));
    for (tag, expected) in [(etag.as_str(), 206), ("\"old\"", 200)] {
        let asked = [(header::RANGE, "bytes=0-1"), (header::IF_RANGE, tag)];
        assert_eq!(fetch(&anonymous, Method::GET, &url, &asked).await.status, expected, "{tag}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn the_renditions_of_a_video_are_stored_in_the_bucket_and_played_from_it() {
    let (app, bucket) = in_bucket(false).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    assert_eq!((&content["processing"], &content["processingError"]), (&json!("done"), &json!(null)));
    assert!((900..1_100).contains(&content["durationMs"].as_i64().unwrap()), "{content}");
    let anonymous = app.http.anonymous();
    let poster = anonymous.get(&text(&content, "previewUrl")).await;
    poster.expect(200);
    assert!(poster.bytes.starts_with(&[0xff, 0xd8, 0xff]) && poster.bytes.ends_with(&[0xff, 0xd9]));

    // Every file that a playlist refers to exists, and the bucket has no other files.
    let (hls, storyboard) = (text(&content, "hlsUrl"), text(&content, "storyboardUrl"));
    let (mut next, mut played) = (vec![hls.clone(), storyboard], Vec::new());
    while let Some(url) = next.pop() {
        let answer = anonymous.get(&url).await;
        answer.expect(200);
        assert_eq!(value(&answer.headers, header::CONTENT_LENGTH), answer.bytes.len().to_string(), "{url}");
        played.push(url.rsplit('/').next().unwrap().split('?').next().unwrap().to_owned());
        if url.contains(".m3u8") || url.contains(".vtt") {
            let output = String::from_utf8(answer.bytes).unwrap();
            let named =
                output.split(['"', '\n']).filter(|word| word.contains("?v=") && !word.starts_with('#'));
            next.extend(named.map(|name| beside(&url, name.split('#').next().unwrap())));
        }
    }
    played.sort();
    played.dedup();
    let (mut made, mut whole) = (Vec::new(), Vec::new());
    for key in bucket.objects() {
        let name = key.rsplit('/').next().unwrap().to_owned();
        if name.starts_with("source-") || name.starts_with("poster-") {
            whole.push(name);
        } else {
            made.push(name);
        }
    }
    assert_eq!((made, whole.len()), (played, 2));
    assert_eq!(bucket.open_uploads(), 0);

    let segment = beside(&hls, "180-0.m4s");
    let all = anonymous.get(&segment).await.bytes;
    let part = fetch(&anonymous, Method::GET, &segment, &[(header::RANGE, "bytes=-100")]).await;
    assert!(part.status == 206 && part.bytes == all[all.len() - 100..]);
    let head = fetch(&anonymous, Method::HEAD, &segment, &[]).await;
    assert_eq!(value(&head.headers, header::CONTENT_LENGTH), all.len().to_string());
    app.http.settle().await;
}

#[tokio::test]
async fn a_segment_is_sent_from_its_copy_but_not_once_the_item_is_deleted() {
    let bucket = SignedBucket::open().await;
    let storage = storage::StorageSettings { s3_cache_mb: 64, ..bucket.settings() };
    let app = test_app_with(TestOptions { storage, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    app.http.run_jobs().await;
    let anonymous = app.http.anonymous();
    let segment = beside(&text(&app.content(&leader, &uid).await, "hlsUrl"), "180-0.m4s");
    let whole = anonymous.get(&segment).await;
    whole.expect(200);
    let key = bucket.objects().into_iter().find(|key| key.ends_with("/180-0.m4s")).unwrap();
    std::fs::remove_file(bucket.folder().join(key)).unwrap();
    let part = fetch(&anonymous, Method::GET, &segment, &[(header::RANGE, "bytes=10-109")]).await;
    assert!(part.status == 206 && part.bytes == whole.bytes[10..110]);
    // The copy is still there, as it is on servers that did not delete the item.
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    assert_eq!(anonymous.get(&segment).await.status, 404);
    app.http.settle().await;
}

#[tokio::test]
async fn captions_and_images_are_stored_in_the_bucket_too() {
    let (app, bucket) = in_bucket(true).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    app.http.run_jobs().await;
    let anonymous = app.http.anonymous();
    let content = captions::put(&leader, &uid, "en", captions::TYPE, SRT.as_bytes()).await.expect(200);
    let captions = text(&content["captions"][0], "url");
    assert_eq!(String::from_utf8(anonymous.get(&captions).await.bytes).unwrap(), CLEAN);
    assert_eq!(bucket.objects().len(), 2);
    leader.delete(&format!("/v1/content/{uid}/captions/en")).await.expect(204);
    anonymous.get(&captions).await.expect(404);
    app.http.run_jobs().await;
    only(&bucket);

    let logo = upload_image(&app, &leader, true).await;
    let shown = anonymous.get(&logo).await;
    shown.expect(200);
    assert_eq!(value(&shown.headers, header::CONTENT_TYPE), "image/jpeg");
    assert!(bucket.objects().iter().any(|key| key.starts_with("images/")), "{:?}", bucket.objects());
    // It is not in use.
    app.http.clock.advance(DAY + HOUR);
    app.purge().await;
    anonymous.get(&logo).await.expect(404);
    only(&bucket);
    app.http.settle().await;
}

#[tokio::test]
async fn a_deleted_item_is_removed_from_the_bucket_after_thirty_days_and_no_other_is() {
    let (app, bucket) = in_bucket(false).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    let other = app.upload(&leader, "a.bin", "application/x-thing", b"bytes").await;
    app.http.run_jobs().await;
    let all = bucket.objects();
    assert!(all.len() > 5, "{all:?}");
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    app.http.clock.advance(30 * DAY - HOUR);
    app.purge().await;
    assert_eq!(bucket.objects(), all);
    app.http.clock.advance(2 * HOUR);
    app.purge().await;
    assert!(only(&bucket).contains(&other.replace('-', "")));
    let leader = app.leader().await;
    let url = text(&app.content(&leader, &other).await, "url");
    assert_eq!(app.http.anonymous().get(&url).await.bytes, b"bytes");
    app.http.settle().await;
}

#[tokio::test]
async fn invalid_credentials_are_a_server_error_and_lose_nothing() {
    let (app, bucket) = in_bucket(true).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    let url = text(&app.content(&leader, &uid).await, "url");
    let settings = storage::StorageSettings { s3_secret_key: "another".into(), ..bucket.settings() };
    let options = TestOptions { storage: settings, without_ffmpeg: true, ..TestOptions::default() };
    let locked = test_app_with(options).await;
    let leader = locked.leader().await;
    let bytes = mp4(1_000);
    let upload = locked.announce(&leader, file("b.mp4", MP4, &bytes)).await.expect(201);
    let answer = put_body(&locked.http, ingest(&upload), MP4, Some(1_000), Body::from(bytes.clone())).await;
    assert_eq!(answer.expect(503)["code"], "unavailable");
    let output = String::from_utf8_lossy(&answer.bytes).into_owned();
    assert!(!output.contains("s3") && !output.contains("another"), "{output}");
    assert_eq!(status(&locked, &upload).await["status"], "pending", "it can be sent again");
    locked.http.settle().await;
    assert!(app.http.anonymous().get(&url).await.bytes == bytes);
    app.http.settle().await;
}
