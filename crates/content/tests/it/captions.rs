//! Captions: accepted in two formats, stored as plain cues, served with the video.

use http::{Method, header};
use orgs::Role;
use serde_json::{Value, json};
use testkit::{Answer, Client};

use crate::{Change, MP4, Stage, file, mp4, on_disk, stage_with};

pub const SRT: &str =
    "1\r\n00:00:01,000 --> 00:00:02,500\r\n<font color=red onclick=alert(1)>Hello</font> & <i>bye</i>\r\n";
pub const CLEAN: &str = "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello &amp; bye\n";
pub const TYPE: &str = "application/x-subrip";

pub async fn put(client: &Client, uid: &str, tail: &str, mime: &str, bytes: &[u8]) -> Answer {
    let request = client
        .request(Method::PUT, &format!("/v1/content/{uid}/captions/{tail}"))
        .header(header::CONTENT_TYPE, mime)
        .body(axum::body::Body::from(bytes.to_vec()));
    client.send(request.unwrap()).await
}

async fn stage_with_film() -> (Stage, Client, String) {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    stage.app.run_jobs().await;
    (stage, leader, uid)
}

fn url(content: &Value, number: usize) -> &str {
    content["captions"][number]["url"].as_str().unwrap()
}

#[tokio::test]
async fn captions_are_cleaned_listed_by_language_and_served_with_the_film() {
    let (stage, leader, uid) = stage_with_film().await;
    put(&leader, &uid, "EN?label=English", TYPE, SRT.as_bytes()).await.expect(200);
    let content = put(&leader, &uid, "de-de", "text/vtt; charset=utf-8", CLEAN.as_bytes()).await.expect(200);
    let listed: Vec<_> = content["captions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["language"].as_str().unwrap(), one["label"].as_str().unwrap()))
        .collect();
    assert_eq!(listed, [("de-DE", "de-DE"), ("en", "English")]);
    let served = stage.app.anonymous().get(url(&content, 1)).await;
    assert_eq!(String::from_utf8(served.bytes).unwrap(), CLEAN);
    assert_eq!(served.headers[header::CONTENT_TYPE], "text/vtt; charset=utf-8");
    assert_eq!(served.headers[header::CACHE_CONTROL], "private, no-cache");
    assert!(url(&content, 0).ends_with("/captions-de-DE.vtt"));
    assert_eq!(stage.app.anonymous().get(url(&content, 0)).await.status, 200);
    stage.app.settle().await;
}

#[tokio::test]
async fn new_captions_take_the_place_of_the_old_and_deleted_ones_are_gone_at_once() {
    let (stage, leader, uid) = stage_with_film().await;
    let first = put(&leader, &uid, "en", TYPE, SRT.as_bytes()).await.expect(200);
    let old = stage.app.anonymous().get(url(&first, 0)).await;
    let files = on_disk(&stage);
    let second = put(&leader, &uid, "en", TYPE, SRT.replace("Hello", "Moin").as_bytes()).await.expect(200);
    assert_eq!(second["captions"].as_array().unwrap().len(), 1);
    assert_ne!(second["timeModified"], first["timeModified"]);
    let new = stage.app.anonymous().get(url(&second, 0)).await;
    assert!(String::from_utf8(new.bytes).unwrap().contains("Moin"));
    assert_ne!(new.headers[header::ETAG], old.headers[header::ETAG]);
    stage.app.run_jobs().await;
    assert_eq!(on_disk(&stage), files, "the old ones are removed");

    let path = format!("/v1/content/{uid}/captions/EN");
    leader.delete(&path).await.expect(204);
    stage.app.anonymous().get(url(&second, 0)).await.expect(404);
    leader.delete(&path).await.refuse(404, "Captions not found");
    stage.app.run_jobs().await;
    assert_eq!(on_disk(&stage), files - 1);
    stage.app.settle().await;
}

#[tokio::test]
async fn what_is_no_captions_file_is_refused_with_a_reason() {
    let (stage, leader, uid) = stage_with_film().await;
    let files = on_disk(&stage);
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
    stage.app.run_jobs().await;
    assert_eq!(on_disk(&stage), files + 50, "refused captions leave no files");
    stage.app.settle().await;
}

#[tokio::test]
async fn only_films_and_sounds_of_ones_own_have_captions() {
    let (stage, leader, uid) = stage_with_film().await;
    let draft = stage.announce(&leader, file("b.mp4", MP4, &mp4(10))).await.expect(201);
    let document = stage.upload(&leader, "a.pdf", "application/pdf", b"%PDF-1.7 x").await;
    let film =
        json!({"content": {"title": "x", "url": "https://youtu.be/x"}, "orgId": stage.org.uid, "file": null});
    let embed = leader.post("/v1/content", film).await.expect(201);
    for uid in [&document, draft["uid"].as_str().unwrap(), embed["uid"].as_str().unwrap()] {
        assert_eq!(put(&leader, uid, "en", TYPE, SRT.as_bytes()).await.expect(409)["code"], "no_film");
    }
    let path = format!("/v1/content/{uid}/captions/en");
    let stranger = stage.app.person("stranger@example.com").await;
    for (client, status) in [
        (stage.app.anonymous(), 401),
        (stranger, 404),
        (stage.user().await, 403),
        (stage.app.member(stage.org, Role::TeamUser).await, 403),
    ] {
        put(&client, &uid, "en", TYPE, SRT.as_bytes()).await.expect(status);
        client.delete(&path).await.expect(status);
    }
    stage.app.run_jobs().await;
    stage.app.settle().await;
}
