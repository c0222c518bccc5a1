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
use testkit::Answer;

use crate::{Change, MP4, Stage, file, ingest, mp4, on_disk, put, stage_with};

pub const PIECE: &str = "application/offset+octet-stream";

pub async fn stage() -> Stage {
    stage_with(Change { without_ffmpeg: true, ..Change::default() }).await
}

/// Starts a tus request without signing in.
pub async fn call(stage: &Stage, method: Method, url: &str, headers: &[(&str, &str)], body: Body) -> Answer {
    let nobody = stage.app.anonymous();
    let mut request = nobody.request(method, url).header("tus-resumable", "1.0.0");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    nobody.send(request.body(body).unwrap()).await
}

pub fn metadata(upload: &Value) -> String {
    format!("filename Zg==,ingest {}", STANDARD.encode(ingest(upload)))
}

/// Creates a resumable upload for an announced file and returns its address.
pub async fn begin(stage: &Stage, upload: &Value, len: usize) -> String {
    let answer = try_begin(stage, upload, len).await;
    answer.expect(201);
    answer.headers[header::LOCATION].to_str().unwrap().to_owned()
}

pub async fn try_begin(stage: &Stage, upload: &Value, len: usize) -> Answer {
    let headers = [("upload-length", len.to_string()), ("upload-metadata", metadata(upload))];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    call(stage, Method::POST, "/v1/uploads/tus", &headers, Body::empty()).await
}

/// Sends a chunk.
pub async fn piece(stage: &Stage, url: &str, offset: usize, body: impl Into<Body>) -> Answer {
    let headers = [("content-type", PIECE), ("upload-offset", &offset.to_string())];
    call(stage, Method::PATCH, url, &headers, body.into()).await
}

/// Returns the offset of an upload.
pub async fn offset(stage: &Stage, url: &str) -> usize {
    let answer = call(stage, Method::HEAD, url, &[], Body::empty()).await;
    answer.expect(200);
    assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store");
    said(&answer)
}

/// Returns the offset in a response.
pub fn said(answer: &Answer) -> usize {
    answer.headers["upload-offset"].to_str().unwrap().parse().unwrap()
}

pub async fn status(stage: &Stage, upload: &Value) -> Value {
    let path = format!("/v1/uploads/{}", upload["uid"].as_str().unwrap());
    stage.app.member(stage.org, Role::Manager).await.get(&path).await.expect(200)
}

/// Announces a video and creates its resumable upload.
pub async fn begun(stage: &Stage, bytes: &[u8]) -> (Value, String) {
    let leader = stage.leader().await;
    let upload = stage.announce(&leader, file("a.mp4", MP4, bytes)).await.expect(201);
    let url = begin(stage, &upload, bytes.len()).await;
    (upload, url)
}

/// Returns whether the item plays these bytes.
pub async fn plays(stage: &Stage, upload: &Value, bytes: &[u8]) -> bool {
    let content = stage.content(&stage.leader().await, upload["uid"].as_str().unwrap()).await;
    stage.app.anonymous().get(content["url"].as_str().unwrap()).await.bytes == bytes
}

async fn in_pieces(stage: Stage, len: usize, piece_bytes: usize) {
    let bytes = mp4(len);
    let (upload, url) = begun(&stage, &bytes).await;
    let mut at = 0;
    for part in bytes.chunks(piece_bytes) {
        assert_eq!(offset(&stage, &url).await, at);
        let answer = piece(&stage, &url, at, Bytes::copy_from_slice(part)).await;
        answer.expect(204);
        at += part.len();
        assert_eq!(said(&answer), at);
        assert!(answer.headers.contains_key("upload-expires"));
    }
    assert_eq!(status(&stage, &upload).await, json!({"uid": upload["uid"], "status": "available"}));
    assert!(plays(&stage, &upload, &bytes).await);
    assert_eq!(offset(&stage, &url).await, len, "a sender that missed the last response can ask");
    let content = stage.content(&stage.leader().await, upload["uid"].as_str().unwrap()).await;
    assert_eq!(content["file"], file("a.mp4", MP4, &bytes));
    stage.app.settle().await;
}

#[tokio::test]
async fn a_file_in_pieces_becomes_what_it_is_in_one_piece() {
    in_pieces(stage().await, 100_000, 33_000).await;
}

#[tokio::test]
async fn nothing_but_the_file_is_left() {
    let stage = stage().await;
    let bytes = mp4(70_000_000);
    let (upload, url) = begun(&stage, &bytes).await;
    piece(&stage, &url, 0, Bytes::copy_from_slice(&bytes[..65_000_000])).await.expect(204);
    piece(&stage, &url, 65_000_000, Bytes::copy_from_slice(&bytes[65_000_000..])).await.expect(204);
    assert!(plays(&stage, &upload, &bytes).await);
    assert_eq!(on_disk(&stage), 1);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_bucket_takes_pieces_of_any_size() {
    for (len, pieces) in
        [(100_000, 33_000), (8 << 20, 8 << 20), (17_000_001, 3_000_000), (20_000_000, 9_000_000)]
    {
        let bucket = Arc::new(InMemory::new());
        let change = Change { without_ffmpeg: true, bucket: Some(bucket.clone()), ..Change::default() };
        in_pieces(stage_with(change).await, len, pieces).await;
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
async fn what_is_offered_is_said_without_a_version() {
    let stage = stage().await;
    let nobody = stage.app.anonymous();
    let request = nobody.request(Method::OPTIONS, "/v1/uploads/tus").body(Body::empty()).unwrap();
    let answer = nobody.send(request).await;
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
    stage.app.settle().await;
}

#[tokio::test]
async fn another_version_is_refused_and_every_answer_says_ours() {
    let stage = stage().await;
    let (_, url) = begun(&stage, &mp4(100)).await;
    let nobody = stage.app.anonymous();
    for (method, path) in [
        (Method::POST, "/v1/uploads/tus"),
        (Method::HEAD, url.as_str()),
        (Method::PATCH, &url),
        (Method::DELETE, &url),
        (Method::POST, &url),
    ] {
        for version in [None, Some("0.2.2")] {
            let mut request = nobody.request(method.clone(), path);
            if let Some(version) = version {
                request = request.header("tus-resumable", version);
            }
            let answer = nobody.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(
                (answer.status.as_u16(), &answer.headers["tus-version"]),
                (412, &"1.0.0".parse().unwrap())
            );
            assert_eq!(answer.headers["tus-resumable"], "1.0.0");
        }
    }
    let missing = call(&stage, Method::HEAD, "/v1/uploads/tus/x", &[], Body::empty()).await;
    assert_eq!(
        (missing.status.as_u16(), &missing.headers["tus-resumable"]),
        (404, &"1.0.0".parse().unwrap())
    );
    assert_eq!(offset(&stage, &url).await, 0);
    stage.app.settle().await;
}

/// Headers, and the status and code with which they are refused.
type Case<'a> = (&'a [(&'a str, &'a str)], u16, &'a str);

#[tokio::test]
async fn only_an_announced_file_of_the_announced_length_is_begun() {
    let settings = ContentSettings { file_max_bytes: 1_000, ..ContentSettings::default() };
    let stage = stage_with(Change { settings, without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let upload = stage.announce(&leader, file("a.mp4", MP4, &mp4(100))).await.expect(201);
    let good = metadata(&upload);
    let forged = format!("ingest {}", STANDARD.encode(format!("{}x", ingest(&upload))));
    let png = json!({"file": file("a.png", "image/png", b"x"), "orgId": stage.org.uid});
    let picture = metadata(&leader.post("/v1/uploads", png).await.expect(201));
    let cases: &[Case<'_>] = &[
        (&[("upload-metadata", &good)], 400, "invalid_header"),
        (&[("upload-metadata", &good), ("upload-length", "-1")], 400, "invalid_header"),
        (&[("upload-metadata", &good), ("upload-length", "99")], 400, "length_mismatch"),
        (&[("upload-metadata", &good), ("upload-length", "0")], 400, "length_mismatch"),
        (&[("upload-metadata", &good), ("upload-length", "1001")], 413, "file_too_large"),
        (&[("upload-metadata", &good), ("upload-defer-length", "1")], 400, "invalid_header"),
        (&[("upload-length", "100")], 400, "invalid_metadata"),
        (&[("upload-length", "100"), ("upload-metadata", "ingest")], 403, "ingest_expired"),
        (&[("upload-length", "100"), ("upload-metadata", "ingest !")], 400, "invalid_metadata"),
        (&[("upload-length", "100"), ("upload-metadata", &forged)], 403, "ingest_expired"),
        (&[("upload-length", "1"), ("upload-metadata", &picture)], 400, "not_resumable"),
    ];
    for (headers, expected, code) in cases {
        let answer = call(&stage, Method::POST, "/v1/uploads/tus", headers, Body::empty()).await;
        assert_eq!(answer.expect(*expected)["code"], *code, "{headers:?}");
    }
    assert_eq!(status(&stage, &upload).await["status"], "pending", "none of these ends it");
    put(&stage.app, ingest(&upload), MP4, &mp4(100)).await.expect(200);
    assert_eq!(try_begin(&stage, &upload, 100).await.expect(409)["code"], "already_available");
    let late = stage.announce(&leader, file("a.mp4", MP4, &mp4(100))).await.expect(201);
    stage.app.clock.pass(HOUR);
    assert_eq!(try_begin(&stage, &late, 100).await.expect(403)["code"], "ingest_expired");
    stage.app.settle().await;
}

#[tokio::test]
async fn a_piece_must_go_on_where_the_upload_is() {
    let stage = stage().await;
    let bytes = mp4(1_000);
    let (upload, url) = begun(&stage, &bytes).await;
    piece(&stage, &url, 0, Bytes::copy_from_slice(&bytes[..400])).await.expect(204);
    for at in [0, 399, 401, 1_000] {
        let answer = piece(&stage, &url, at, Bytes::from_static(b"x")).await;
        assert_eq!(answer.expect(409)["code"], "offset_mismatch", "{at}");
    }
    let rest = &bytes[400..];
    for (headers, expected, code) in [
        (&[("content-type", "video/mp4"), ("upload-offset", "400")][..], 415, "unsupported_media_type"),
        (&[("upload-offset", "400")], 415, "unsupported_media_type"),
        (&[("content-type", PIECE)], 400, "invalid_header"),
        (&[("content-type", PIECE), ("upload-offset", "4e2")], 400, "invalid_header"),
        (
            &[("content-type", PIECE), ("upload-offset", "400"), ("content-length", "601")],
            413,
            "too_many_bytes",
        ),
    ] {
        let answer = call(&stage, Method::PATCH, &url, headers, Bytes::copy_from_slice(rest).into()).await;
        assert_eq!(answer.expect(expected)["code"], code, "{headers:?}");
    }
    // A body that is too long, in a request without a length.
    let answer = piece(&stage, &url, 400, [rest, b"x"].concat()).await;
    assert_eq!(answer.expect(413)["code"], "too_many_bytes");
    assert_eq!(said(&piece(&stage, &url, 400, Body::empty()).await), 400, "an empty chunk is allowed");
    assert_eq!(status(&stage, &upload).await["status"], "pending");
    piece(&stage, &url, 400, Bytes::copy_from_slice(rest)).await.expect(204);
    assert!(plays(&stage, &upload, &bytes).await);
    assert_eq!(said(&piece(&stage, &url, 1_000, Body::empty()).await), 1_000);
    stage.app.settle().await;
}

#[tokio::test]
async fn addresses_of_others_and_made_up_ones_are_unknown() {
    let stage = stage().await;
    let (upload, url) = begun(&stage, &mp4(100)).await;
    let token = ingest(&upload).rsplit('/').next().unwrap();
    let uid = upload["uid"].as_str().unwrap();
    for id in ["x", uid, token, &format!("{}x", url.rsplit('/').next().unwrap()), &"A".repeat(64)] {
        let address = format!("/v1/uploads/tus/{id}");
        for method in [Method::HEAD, Method::PATCH, Method::DELETE] {
            let headers = [("content-type", PIECE), ("upload-offset", "0")];
            call(&stage, method, &address, &headers, Body::empty()).await.expect(404);
        }
    }
    assert_eq!(offset(&stage, &url).await, 0);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_piece_that_is_not_what_its_checksum_says_leaves_nothing() {
    let stage = stage().await;
    let bytes = mp4(90_000);
    let (upload, url) = begun(&stage, &bytes).await;
    let mut at = 0;
    for algorithm in ["md5", "sha1", "sha256"] {
        let part = &bytes[at..at + 30_000];
        let sum = format!("{algorithm} {}", STANDARD.encode(openssl(algorithm, part)));
        let wrong = format!("{algorithm} {}", STANDARD.encode(openssl(algorithm, b"another")));
        for (sum, expected) in [(wrong.as_str(), 460), ("crc32 AAAAAA==", 400), (&sum, 204)] {
            let offset = at.to_string();
            let headers = [("content-type", PIECE), ("upload-offset", &offset), ("upload-checksum", sum)];
            let body = Bytes::copy_from_slice(part);
            call(&stage, Method::PATCH, &url, &headers, body.into()).await.expect(expected);
        }
        at += 30_000;
        assert_eq!(offset(&stage, &url).await, at);
    }
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
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
async fn the_first_piece_may_come_with_the_beginning() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let bytes = mp4(1_000);
    for first in [400, 1_000] {
        let upload = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
        let metadata = metadata(&upload);
        let headers = [("content-type", PIECE), ("upload-length", "1000"), ("upload-metadata", &metadata)];
        let body = Bytes::copy_from_slice(&bytes[..first]);
        let answer = call(&stage, Method::POST, "/v1/uploads/tus", &headers, body.into()).await;
        answer.expect(201);
        assert_eq!(said(&answer), first);
        let url = answer.headers[header::LOCATION].to_str().unwrap();
        piece(&stage, url, first, Bytes::copy_from_slice(&bytes[first..])).await.expect(204);
        assert!(plays(&stage, &upload, &bytes).await);
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn methods_can_be_asked_for_by_a_header() {
    let stage = stage().await;
    let bytes = mp4(1_000);
    let (_, url) = begun(&stage, &bytes).await;
    let patch = [("x-http-method-override", "PATCH"), ("content-type", PIECE), ("upload-offset", "0")];
    call(&stage, Method::POST, &url, &patch, Bytes::copy_from_slice(&bytes[..10]).into()).await.expect(204);
    let head = call(&stage, Method::POST, &url, &[("x-http-method-override", "HEAD")], Body::empty()).await;
    assert_eq!(said(&head), 10);
    call(&stage, Method::POST, &url, &[("x-http-method-override", "PUT")], Body::empty()).await.expect(400);
    call(&stage, Method::POST, &url, &[("x-http-method-override", "DELETE")], Body::empty())
        .await
        .expect(204);
    call(&stage, Method::HEAD, &url, &[], Body::empty()).await.expect(404);
    stage.app.settle().await;
}

#[tokio::test]
async fn metadata_is_given_back_and_the_address_with_it() {
    let stage = stage().await;
    let (upload, url) = begun(&stage, &mp4(100)).await;
    let answer = call(&stage, Method::HEAD, &url, &[], Body::empty()).await;
    let expected = format!("ingest {},filename Zg==", STANDARD.encode(ingest(&upload)));
    assert_eq!(answer.headers["upload-metadata"], expected);
    assert_eq!(answer.headers["upload-length"], "100");
    stage.app.settle().await;
}

#[tokio::test]
async fn an_upload_waits_for_a_day_after_its_last_byte_and_its_draft_with_it() {
    let stage = stage().await;
    let bytes = mp4(1_000);
    let (upload, url) = begun(&stage, &bytes).await;
    stage.app.clock.pass(HOUR - SECOND);
    for at in 0..3 {
        let answer = piece(&stage, &url, at, Bytes::copy_from_slice(&bytes[at..=at])).await;
        answer.expect(204);
        stage.app.clock.pass(DAY - MINUTE);
        stage.purge().await;
        assert_eq!(offset(&stage, &url).await, at + 1);
    }
    stage.content(&stage.leader().await, upload["uid"].as_str().unwrap()).await;
    stage.app.clock.pass(MINUTE);
    for method in [Method::HEAD, Method::PATCH, Method::DELETE] {
        let headers = [("content-type", PIECE), ("upload-offset", "3")];
        call(&stage, method, &url, &headers, Body::empty()).await.expect(410);
    }
    assert_eq!(on_disk(&stage), 1);
    stage.app.clock.pass(SECOND);
    stage.purge().await;
    assert_eq!(on_disk(&stage), 0);
    call(&stage, Method::HEAD, &url, &[], Body::empty()).await.expect(404);
    let content = format!("/v1/content/{}", upload["uid"].as_str().unwrap());
    stage.leader().await.get(&content).await.expect(404);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_version_without_a_size_takes_its_room_when_it_is_begun() {
    let limits = Limits { file_bytes: 1_000, total_bytes: Some(1_500) };
    let stage = stage_with(Change { limits: Some(limits), without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(600)).await;
    let path = format!("/v1/content/{uid}");
    let bytes = mp4(900);
    let new = json!({"file": {"name": "b.mp4", "checksum": file("b.mp4", MP4, &bytes)["checksum"]}});
    let upload = leader.post(&path, new).await.expect(200);
    for (len, expected, code) in [(1_001, 413, "file_too_large"), (901, 402, "quota_exceeded")] {
        assert_eq!(try_begin(&stage, &upload, len).await.expect(expected)["code"], code);
    }
    let url = begin(&stage, &upload, 900).await;
    assert_eq!(
        stage.announce(&leader, file("c.mp4", MP4, &mp4(100))).await.expect(402)["code"],
        "quota_exceeded"
    );
    piece(&stage, &url, 0, bytes.clone()).await.expect(204);
    let played = stage.content(&leader, &uid).await["url"].as_str().unwrap().to_owned();
    assert!(stage.app.anonymous().get(&played).await.bytes == bytes);
    stage.app.settle().await;
}
