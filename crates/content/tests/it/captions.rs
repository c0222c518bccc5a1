//! Captions: accepted in two formats, stored as plain cues, served with the video.

use http::{Method, header};
use orgs::Role;
use serde_json::{Value, json};
use testkit::{ApiResponse, Client};

use crate::{MP4, TestApp, TestOptions, file, mp4, on_disk, test_app_with};

pub const SRT: &str =
    "1\r\n00:00:01,000 --> 00:00:02,500\r\n<font color=red onclick=alert(1)>Hello</font> & <i>bye</i>\r\n";
pub const CLEAN: &str = "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello &amp; bye\n";
pub const TYPE: &str = "application/x-subrip";

pub async fn put(client: &Client, uid: &str, tail: &str, mime: &str, bytes: &[u8]) -> ApiResponse {
    let request = client
        .request(Method::PUT, &format!("/v1/content/{uid}/captions/{tail}"))
        .header(header::CONTENT_TYPE, mime)
        .body(axum::body::Body::from(bytes.to_vec()));
    client.send(request.unwrap()).await
}

async fn app_with_video() -> (TestApp, Client, String) {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    app.http.run_jobs().await;
    (app, leader, uid)
}

fn url(content: &Value, number: usize) -> &str {
    content["captions"][number]["url"].as_str().unwrap()
}

#[tokio::test]
async fn captions_are_cleaned_listed_by_language_and_served_with_the_video() {
    let (app, leader, uid) = app_with_video().await;
    put(&leader, &uid, "EN?label=English", TYPE, SRT.as_bytes()).await.expect(200);
    let content = put(&leader, &uid, "de-de", "text/vtt; charset=utf-8", CLEAN.as_bytes()).await.expect(200);
    let listed: Vec<_> = content["captions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["language"].as_str().unwrap(), one["label"].as_str().unwrap()))
        .collect();
    assert_eq!(listed, [("de-DE", "de-DE"), ("en", "English")]);
    let served = app.http.anonymous().get(url(&content, 1)).await;
    assert_eq!(String::from_utf8(served.bytes).unwrap(), CLEAN);
    assert_eq!(served.headers[header::CONTENT_TYPE], "text/vtt; charset=utf-8");
    assert_eq!(served.headers[header::CACHE_CONTROL], "private, no-cache");
    assert!(url(&content, 0).ends_with("/captions-de-DE.vtt"));
    assert_eq!(app.http.anonymous().get(url(&content, 0)).await.status, 200);
    app.http.settle().await;
}

#[tokio::test]
async fn new_captions_replace_old_ones_and_deleted_ones_are_gone_at_once() {
    let (app, leader, uid) = app_with_video().await;
    let first = put(&leader, &uid, "en", TYPE, SRT.as_bytes()).await.expect(200);
    let old = app.http.anonymous().get(url(&first, 0)).await;
    let files = on_disk(&app);
    let second = put(&leader, &uid, "en", TYPE, SRT.replace("Hello", "Moin").as_bytes()).await.expect(200);
    assert_eq!(second["captions"].as_array().unwrap().len(), 1);
    assert_ne!(second["timeModified"], first["timeModified"]);
    let new = app.http.anonymous().get(url(&second, 0)).await;
    assert!(String::from_utf8(new.bytes).unwrap().contains("Moin"));
    assert_ne!(new.headers[header::ETAG], old.headers[header::ETAG]);
    app.http.run_jobs().await;
    assert_eq!(on_disk(&app), files, "the old ones are removed");

    let path = format!("/v1/content/{uid}/captions/EN");
    leader.delete(&path).await.expect(204);
    app.http.anonymous().get(url(&second, 0)).await.expect(404);
    leader.delete(&path).await.expect_error(404, "Captions not found");
    app.http.run_jobs().await;
    assert_eq!(on_disk(&app), files - 1);
    app.http.settle().await;
}

#[tokio::test]
async fn invalid_captions_are_refused_with_a_reason() {
    let (app, leader, uid) = app_with_video().await;
    let files = on_disk(&app);
    let large = vec![b'x'; 2 * 1024 * 1024 + 1];
    for (tail, mime, bytes, status, code) in [
        ("en", "application/zip", SRT.as_bytes(), 415, "captions_type"),
        ("en", "", SRT.as_bytes(), 415, "captions_type"),
        ("en", TYPE, &large[..], 413, "captions_too_large"),
        ("en", TYPE, b"1\n00:00:01,000 --> 00:00:02,000\ngr\xfc\xdfe\n", 400, "captions_encoding"),
        ("en", TYPE, b"hello", 400, "captions_empty"),
        ("en", TYPE, b"1\n00:00:03,000 --> 00:00:02,000\nx\n", 400, "captions_times"),
        ("english", TYPE, SRT.as_bytes(), 400, "invalid_language"),
        ("..%2Fx", TYPE, SRT.as_bytes(), 400, "invalid_language"),
        ("en?label=a%0Ab", TYPE, SRT.as_bytes(), 400, "captions_label"),
    ] {
        assert_eq!(put(&leader, &uid, tail, mime, bytes).await.expect(status)["code"], code, "{tail} {code}");
    }
    for number in 0..50_u8 {
        let language = format!("{}{}{}", char::from(b'a' + number / 10), char::from(b'a' + number % 10), 'x');
        put(&leader, &uid, &language, TYPE, SRT.as_bytes()).await.expect(200);
    }
    assert_eq!(
        put(&leader, &uid, "zz", TYPE, SRT.as_bytes()).await.expect(400)["code"],
        "captions_too_many_languages"
    );
    put(&leader, &uid, "aax", TYPE, SRT.as_bytes()).await.expect(200);
    app.http.run_jobs().await;
    assert_eq!(on_disk(&app), files + 50, "refused captions leave no files");
    app.http.settle().await;
}

#[tokio::test]
async fn only_uploaded_video_and_audio_can_have_captions() {
    let (app, leader, uid) = app_with_video().await;
    let draft = app.announce(&leader, file("b.mp4", MP4, &mp4(10))).await.expect(201);
    let document = app.upload(&leader, "a.pdf", "application/pdf", b"%PDF-1.7 x").await;
    let video =
        json!({"content": {"title": "x", "url": "https://youtu.be/x"}, "orgId": app.org.uid, "file": null});
    let embed = leader.post("/v1/content", video).await.expect(201);
    for uid in [&document, draft["uid"].as_str().unwrap(), embed["uid"].as_str().unwrap()] {
        assert_eq!(
            put(&leader, uid, "en", TYPE, SRT.as_bytes()).await.expect(409)["code"],
            "captions_unsupported"
        );
    }
    let path = format!("/v1/content/{uid}/captions/en");
    let stranger = app.http.person("stranger@example.com").await;
    for (client, status) in [
        (app.http.anonymous(), 401),
        (stranger, 404),
        (app.user().await, 403),
        (app.http.member(app.org, Role::TeamUser).await, 403),
    ] {
        put(&client, &uid, "en", TYPE, SRT.as_bytes()).await.expect(status);
        client.delete(&path).await.expect(status);
    }
    app.http.run_jobs().await;
    app.http.settle().await;
}
