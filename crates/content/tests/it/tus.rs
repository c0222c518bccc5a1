//! Resumable uploads that go well.

use std::sync::Arc;

use axum::body::Body;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use content::{ContentSettings, Limits};
use http::{Method, header};
use kernel::{DAY, HOUR, MINUTE, SECOND};
use object_store::memory::InMemory;
use orgs::Role;
use serde_json::{Value, json};
use testkit::ApiResponse;

use crate::{MP4, TestApp, TestOptions, file, ingest, mp4, on_disk, put, test_app_with};

pub const CHUNK_TYPE: &str = "application/offset+octet-stream";

pub async fn test_app() -> TestApp {
    test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await
}

/// Starts a tus request without signing in.
pub async fn call(
    app: &TestApp,
    method: Method,
    url: &str,
    headers: &[(&str, &str)],
    body: Body,
) -> ApiResponse {
    let anonymous = app.http.anonymous();
    let mut request = anonymous.request(method, url).header("tus-resumable", "1.0.0");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    anonymous.send(request.body(body).unwrap()).await
}

pub fn metadata(upload: &Value) -> String {
    format!("filename Zg==,ingest {}", STANDARD.encode(ingest(upload)))
}

/// Creates a resumable upload for an announced file and returns its address.
pub async fn begin(app: &TestApp, upload: &Value, len: usize) -> String {
    let answer = try_begin(app, upload, len).await;
    answer.expect(201);
    answer.headers[header::LOCATION].to_str().unwrap().to_owned()
}

pub async fn try_begin(app: &TestApp, upload: &Value, len: usize) -> ApiResponse {
    let headers = [("upload-length", len.to_string()), ("upload-metadata", metadata(upload))];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    call(app, Method::POST, "/v1/uploads/tus", &headers, Body::empty()).await
}

pub async fn send_chunk(app: &TestApp, url: &str, offset: usize, body: impl Into<Body>) -> ApiResponse {
    let headers = [("content-type", CHUNK_TYPE), ("upload-offset", &offset.to_string())];
    call(app, Method::PATCH, url, &headers, body.into()).await
}

/// Returns the offset of an upload.
pub async fn offset(app: &TestApp, url: &str) -> usize {
    let answer = call(app, Method::HEAD, url, &[], Body::empty()).await;
    answer.expect(200);
    assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store");
    offset_in(&answer)
}

pub fn offset_in(answer: &ApiResponse) -> usize {
    answer.headers["upload-offset"].to_str().unwrap().parse().unwrap()
}

pub async fn status(app: &TestApp, upload: &Value) -> Value {
    let path = format!("/v1/uploads/{}", upload["uid"].as_str().unwrap());
    app.http.member(app.org, Role::Manager).await.get(&path).await.expect(200)
}

/// Announces a video and creates its resumable upload.
pub async fn start_upload(app: &TestApp, bytes: &[u8]) -> (Value, String) {
    let leader = app.leader().await;
    let upload = app.announce(&leader, file("a.mp4", MP4, bytes)).await.expect(201);
    let url = begin(app, &upload, bytes.len()).await;
    (upload, url)
}

/// Returns whether the item plays these bytes.
pub async fn plays(app: &TestApp, upload: &Value, bytes: &[u8]) -> bool {
    let content = app.content(&app.leader().await, upload["uid"].as_str().unwrap()).await;
    app.http.anonymous().get(content["url"].as_str().unwrap()).await.bytes == bytes
}

async fn upload_in_chunks(app: TestApp, len: usize, chunk_bytes: usize) {
    let bytes = mp4(len);
    let (upload, url) = start_upload(&app, &bytes).await;
    let mut at = 0;
    for part in bytes.chunks(chunk_bytes) {
        assert_eq!(offset(&app, &url).await, at);
        let answer = send_chunk(&app, &url, at, Bytes::copy_from_slice(part)).await;
        answer.expect(204);
        at += part.len();
        assert_eq!(offset_in(&answer), at);
        assert!(answer.headers.contains_key("upload-expires"));
    }
    assert_eq!(status(&app, &upload).await, json!({"uid": upload["uid"], "status": "available"}));
    assert!(plays(&app, &upload, &bytes).await);
    assert_eq!(offset(&app, &url).await, len, "a sender that missed the last response can ask");
    let content = app.content(&app.leader().await, upload["uid"].as_str().unwrap()).await;
    assert_eq!(content["file"], file("a.mp4", MP4, &bytes));
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_in_chunks_becomes_the_same_as_in_one_request() {
    upload_in_chunks(test_app().await, 100_000, 33_000).await;
}

#[tokio::test]
async fn nothing_but_the_file_is_left() {
    let app = test_app().await;
    let bytes = mp4(70_000_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..65_000_000])).await.expect(204);
    send_chunk(&app, &url, 65_000_000, Bytes::copy_from_slice(&bytes[65_000_000..])).await.expect(204);
    assert!(plays(&app, &upload, &bytes).await);
    assert_eq!(on_disk(&app), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_bucket_accepts_chunks_of_any_size() {
    for (len, chunks) in
        [(100_000, 33_000), (8 << 20, 8 << 20), (17_000_001, 3_000_000), (20_000_000, 9_000_000)]
    {
        let bucket = Arc::new(InMemory::new());
        let options =
            TestOptions { without_ffmpeg: true, bucket: Some(bucket.clone()), ..TestOptions::default() };
        upload_in_chunks(test_app_with(options).await, len, chunks).await;
        let mut names = futures::StreamExt::boxed(object_store::ObjectStore::list(&*bucket, None));
        let mut left = 0;
        while let Some(found) = futures::TryStreamExt::try_next(&mut names).await.unwrap() {
            assert!(found.location.as_ref().starts_with("content/"), "{}", found.location);
            left += 1;
        }
        assert_eq!(left, 1, "only the file");
    }
}

#[tokio::test]
async fn options_are_listed_without_a_version() {
    let app = test_app().await;
    let anonymous = app.http.anonymous();
    let request = anonymous.request(Method::OPTIONS, "/v1/uploads/tus").body(Body::empty()).unwrap();
    let answer = anonymous.send(request).await;
    answer.expect(204);
    for (name, value) in [
        ("tus-version", "1.0.0"),
        ("tus-resumable", "1.0.0"),
        ("tus-extension", "creation,creation-with-upload,termination,checksum,expiration"),
        ("tus-max-size", "21474836480"),
        ("tus-checksum-algorithm", "md5,sha1,sha256"),
    ] {
        assert_eq!(answer.headers[name], value, "{name}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn another_version_is_refused_and_every_response_names_ours() {
    let app = test_app().await;
    let (_, url) = start_upload(&app, &mp4(100)).await;
    let anonymous = app.http.anonymous();
    for (method, path) in [
        (Method::POST, "/v1/uploads/tus"),
        (Method::HEAD, url.as_str()),
        (Method::PATCH, &url),
        (Method::DELETE, &url),
        (Method::POST, &url),
    ] {
        for version in [None, Some("0.2.2")] {
            let mut request = anonymous.request(method.clone(), path);
            if let Some(version) = version {
                request = request.header("tus-resumable", version);
            }
            let answer = anonymous.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(
                (answer.status.as_u16(), &answer.headers["tus-version"]),
                (412, &"1.0.0".parse().unwrap())
            );
            assert_eq!(answer.headers["tus-resumable"], "1.0.0");
        }
    }
    let missing = call(&app, Method::HEAD, "/v1/uploads/tus/x", &[], Body::empty()).await;
    assert_eq!(
        (missing.status.as_u16(), &missing.headers["tus-resumable"]),
        (404, &"1.0.0".parse().unwrap())
    );
    assert_eq!(offset(&app, &url).await, 0);
    app.http.settle().await;
}

/// Headers, and the status and code with which they are refused.
type Case<'a> = (&'a [(&'a str, &'a str)], u16, &'a str);

#[tokio::test]
async fn only_an_announced_file_of_the_announced_length_can_start() {
    let settings = ContentSettings { file_max_bytes: 1_000, ..ContentSettings::default() };
    let app = test_app_with(TestOptions { settings, without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let upload = app.announce(&leader, file("a.mp4", MP4, &mp4(100))).await.expect(201);
    let good = metadata(&upload);
    let forged = format!("ingest {}", STANDARD.encode(format!("{}x", ingest(&upload))));
    let png = json!({"file": file("a.png", "image/png", b"x"), "orgId": app.org.uid});
    let image = metadata(&leader.post("/v1/uploads", png).await.expect(201));
    let cases: &[Case<'_>] = &[
        (&[("upload-metadata", &good)], 400, "invalid_header"),
        (&[("upload-metadata", &good), ("upload-length", "-1")], 400, "invalid_header"),
        (&[("upload-metadata", &good), ("upload-length", "99")], 400, "length_mismatch"),
        (&[("upload-metadata", &good), ("upload-length", "0")], 400, "length_mismatch"),
        (&[("upload-metadata", &good), ("upload-length", "1001")], 413, "above_server_limit"),
        (&[("upload-metadata", &good), ("upload-defer-length", "1")], 400, "invalid_header"),
        (&[("upload-length", "100")], 400, "invalid_metadata"),
        (&[("upload-length", "100"), ("upload-metadata", "ingest")], 403, "ingest_expired"),
        (&[("upload-length", "100"), ("upload-metadata", "ingest !")], 400, "invalid_metadata"),
        (&[("upload-length", "100"), ("upload-metadata", &forged)], 403, "ingest_expired"),
        (&[("upload-length", "1"), ("upload-metadata", &image)], 400, "not_resumable"),
    ];
    for (headers, expected, code) in cases {
        let answer = call(&app, Method::POST, "/v1/uploads/tus", headers, Body::empty()).await;
        assert_eq!(answer.expect(*expected)["code"], *code, "{headers:?}");
    }
    assert_eq!(status(&app, &upload).await["status"], "pending", "none of these ends it");
    put(&app.http, ingest(&upload), MP4, &mp4(100)).await.expect(200);
    assert_eq!(try_begin(&app, &upload, 100).await.expect(409)["code"], "already_available");
    let late = app.announce(&leader, file("a.mp4", MP4, &mp4(100))).await.expect(201);
    app.http.clock.advance(HOUR);
    assert_eq!(try_begin(&app, &late, 100).await.expect(403)["code"], "ingest_expired");
    app.http.settle().await;
}

#[tokio::test]
async fn a_chunk_must_start_at_the_current_offset() {
    let app = test_app().await;
    let bytes = mp4(1_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..400])).await.expect(204);
    for at in [0, 399, 401, 1_000] {
        let answer = send_chunk(&app, &url, at, Bytes::from_static(b"x")).await;
        assert_eq!(answer.expect(409)["code"], "offset_mismatch", "{at}");
    }
    let rest = &bytes[400..];
    for (headers, expected, code) in [
        (&[("content-type", "video/mp4"), ("upload-offset", "400")][..], 415, "unsupported_media_type"),
        (&[("upload-offset", "400")], 415, "unsupported_media_type"),
        (&[("content-type", CHUNK_TYPE)], 400, "invalid_header"),
        (&[("content-type", CHUNK_TYPE), ("upload-offset", "4e2")], 400, "invalid_header"),
        (
            &[("content-type", CHUNK_TYPE), ("upload-offset", "400"), ("content-length", "601")],
            413,
            "too_many_bytes",
        ),
    ] {
        let answer = call(&app, Method::PATCH, &url, headers, Bytes::copy_from_slice(rest).into()).await;
        assert_eq!(answer.expect(expected)["code"], code, "{headers:?}");
    }
    // A body that is too long, in a request without a length.
    let answer = send_chunk(&app, &url, 400, [rest, b"x"].concat()).await;
    assert_eq!(answer.expect(413)["code"], "too_many_bytes");
    assert_eq!(
        offset_in(&send_chunk(&app, &url, 400, Body::empty()).await),
        400,
        "an empty chunk is allowed"
    );
    assert_eq!(status(&app, &upload).await["status"], "pending");
    send_chunk(&app, &url, 400, Bytes::copy_from_slice(rest)).await.expect(204);
    assert!(plays(&app, &upload, &bytes).await);
    assert_eq!(offset_in(&send_chunk(&app, &url, 1_000, Body::empty()).await), 1_000);
    app.http.settle().await;
}

#[tokio::test]
async fn other_and_forged_addresses_are_unknown() {
    let app = test_app().await;
    let (upload, url) = start_upload(&app, &mp4(100)).await;
    let token = ingest(&upload).rsplit('/').next().unwrap();
    let uid = upload["uid"].as_str().unwrap();
    for id in ["x", uid, token, &format!("{}x", url.rsplit('/').next().unwrap()), &"A".repeat(64)] {
        let address = format!("/v1/uploads/tus/{id}");
        for method in [Method::HEAD, Method::PATCH, Method::DELETE] {
            let headers = [("content-type", CHUNK_TYPE), ("upload-offset", "0")];
            call(&app, method, &address, &headers, Body::empty()).await.expect(404);
        }
    }
    assert_eq!(offset(&app, &url).await, 0);
    app.http.settle().await;
}

#[tokio::test]
async fn a_chunk_with_a_wrong_checksum_leaves_nothing() {
    let app = test_app().await;
    let bytes = mp4(90_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    let mut at = 0;
    for algorithm in ["md5", "sha1", "sha256"] {
        let part = &bytes[at..at + 30_000];
        let checksum = format!("{algorithm} {}", STANDARD.encode(openssl(algorithm, part)));
        let wrong = format!("{algorithm} {}", STANDARD.encode(openssl(algorithm, b"another")));
        for (checksum, expected) in [(wrong.as_str(), 460), ("crc32 AAAAAA==", 400), (&checksum, 204)] {
            let offset = at.to_string();
            let headers =
                [("content-type", CHUNK_TYPE), ("upload-offset", &offset), ("upload-checksum", checksum)];
            let body = Bytes::copy_from_slice(part);
            call(&app, Method::PATCH, &url, &headers, body.into()).await.expect(expected);
        }
        at += 30_000;
        assert_eq!(offset(&app, &url).await, at);
    }
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

/// Returns the digest that openssl, an independent implementation, computes.
fn openssl(digest: &str, data: &[u8]) -> Vec<u8> {
    let mut child = std::process::Command::new("openssl")
        .args(["dgst", "-binary", &format!("-{digest}")])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), data).unwrap();
    child.wait_with_output().unwrap().stdout
}

#[tokio::test]
async fn the_creation_request_may_contain_the_first_chunk() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    for first in [400, 1_000] {
        let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
        let metadata = metadata(&upload);
        let headers =
            [("content-type", CHUNK_TYPE), ("upload-length", "1000"), ("upload-metadata", &metadata)];
        let body = Bytes::copy_from_slice(&bytes[..first]);
        let answer = call(&app, Method::POST, "/v1/uploads/tus", &headers, body.into()).await;
        answer.expect(201);
        assert_eq!(offset_in(&answer), first);
        let url = answer.headers[header::LOCATION].to_str().unwrap();
        send_chunk(&app, url, first, Bytes::copy_from_slice(&bytes[first..])).await.expect(204);
        assert!(plays(&app, &upload, &bytes).await);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn methods_can_be_requested_by_a_header() {
    let app = test_app().await;
    let bytes = mp4(1_000);
    let (_, url) = start_upload(&app, &bytes).await;
    let patch = [("x-http-method-override", "PATCH"), ("content-type", CHUNK_TYPE), ("upload-offset", "0")];
    call(&app, Method::POST, &url, &patch, Bytes::copy_from_slice(&bytes[..10]).into()).await.expect(204);
    let head = call(&app, Method::POST, &url, &[("x-http-method-override", "HEAD")], Body::empty()).await;
    assert_eq!(offset_in(&head), 10);
    call(&app, Method::POST, &url, &[("x-http-method-override", "PUT")], Body::empty()).await.expect(400);
    call(&app, Method::POST, &url, &[("x-http-method-override", "DELETE")], Body::empty()).await.expect(204);
    call(&app, Method::HEAD, &url, &[], Body::empty()).await.expect(404);
    app.http.settle().await;
}

#[tokio::test]
async fn metadata_is_returned_with_the_address() {
    let app = test_app().await;
    let (upload, url) = start_upload(&app, &mp4(100)).await;
    let answer = call(&app, Method::HEAD, &url, &[], Body::empty()).await;
    let expected = format!("ingest {},filename Zg==", STANDARD.encode(ingest(&upload)));
    assert_eq!(answer.headers["upload-metadata"], expected);
    assert_eq!(answer.headers["upload-length"], "100");
    app.http.settle().await;
}

#[tokio::test]
async fn an_upload_and_its_draft_stay_pending_for_a_day_after_the_last_byte() {
    let app = test_app().await;
    let bytes = mp4(1_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    app.http.clock.advance(HOUR - SECOND);
    for at in 0..3 {
        let answer = send_chunk(&app, &url, at, Bytes::copy_from_slice(&bytes[at..=at])).await;
        answer.expect(204);
        app.http.clock.advance(DAY - MINUTE);
        app.purge().await;
        assert_eq!(offset(&app, &url).await, at + 1);
    }
    app.content(&app.leader().await, upload["uid"].as_str().unwrap()).await;
    app.http.clock.advance(MINUTE);
    for method in [Method::HEAD, Method::PATCH, Method::DELETE] {
        let headers = [("content-type", CHUNK_TYPE), ("upload-offset", "3")];
        call(&app, method, &url, &headers, Body::empty()).await.expect(410);
    }
    assert_eq!(on_disk(&app), 1);
    app.http.clock.advance(SECOND);
    app.purge().await;
    assert_eq!(on_disk(&app), 0);
    call(&app, Method::HEAD, &url, &[], Body::empty()).await.expect(404);
    let content = format!("/v1/content/{}", upload["uid"].as_str().unwrap());
    app.leader().await.get(&content).await.expect(404);
    app.http.settle().await;
}

#[tokio::test]
async fn a_version_without_a_size_reserves_its_space_when_it_starts() {
    let limits = Limits { file_bytes: 1_000, total_bytes: Some(1_500) };
    let app =
        test_app_with(TestOptions { limits: Some(limits), without_ffmpeg: true, ..TestOptions::default() })
            .await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(600)).await;
    let path = format!("/v1/content/{uid}");
    let bytes = mp4(900);
    let new = json!({"file": {"name": "b.mp4", "checksum": file("b.mp4", MP4, &bytes)["checksum"]}});
    let upload = leader.post(&path, new).await.expect(200);
    for (len, code) in [(1_001, "file_too_large"), (901, "quota_exceeded")] {
        assert_eq!(try_begin(&app, &upload, len).await.expect(402)["code"], code);
    }
    let url = begin(&app, &upload, 900).await;
    assert_eq!(
        app.announce(&leader, file("c.mp4", MP4, &mp4(100))).await.expect(402)["code"],
        "quota_exceeded"
    );
    send_chunk(&app, &url, 0, bytes.clone()).await.expect(204);
    let played = app.content(&leader, &uid).await["url"].as_str().unwrap().to_owned();
    assert!(app.http.anonymous().get(&played).await.bytes == bytes);
    app.http.settle().await;
}
