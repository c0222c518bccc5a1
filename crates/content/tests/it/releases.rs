//! Everything an upload holds is freed as soon as it ends.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use content::{ContentSettings, Limits};
use futures::{StreamExt as _, stream};
use http::Method;
use kernel::{DAY, HOUR, MINUTE};
use orgs::Role;
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use testkit::{ApiResponse, Client};

use crate::tus::{begin, call, offset, plays, send_chunk, status};
use crate::tus_failures::stalling_body;
use crate::{MP4, TestApp, TestOptions, file, ingest, mp4, on_disk, put, put_body, test_app_with};

/// A setup with a plan of 1,500 bytes.
async fn small_plan() -> TestApp {
    let limits = Limits { file_bytes: 1_500, total_bytes: Some(1_500) };
    test_app_with(TestOptions { limits: Some(limits), without_ffmpeg: true, ..TestOptions::default() }).await
}

async fn app_without_plan() -> TestApp {
    test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await
}

fn text<'a>(upload: &'a Value, name: &str) -> &'a str {
    upload[name].as_str().unwrap()
}

/// Announces a file of this many bytes.
async fn announce(app: &TestApp, leader: &Client, len: usize) -> ApiResponse {
    app.announce(leader, file("a.mp4", MP4, &mp4(len))).await
}

async fn replace(leader: &Client, content: &str, len: usize) -> ApiResponse {
    let new = json!({"file": file("b.mp4", MP4, &mp4(len))});
    leader.post(&format!("/v1/content/{content}"), new).await
}

async fn sql(app: &TestApp, statement: &str) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared(statement).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn deleting_a_draft_ends_its_upload_and_frees_what_it_held() {
    let app = small_plan().await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    let upload = announce(&app, &leader, 1_000).await.expect(201);
    let url = begin(&app, &upload, 1_000).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..600])).await.expect(204);
    assert_eq!(on_disk(&app), 1);
    leader.delete(&format!("/v1/content/{}", text(&upload, "uid"))).await.expect(204);
    assert_eq!(on_disk(&app), 0, "the received bytes are gone");
    let after = status(&app, &upload).await;
    assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!("content_deleted")));
    assert!(matches!(send_chunk(&app, &url, 600, bytes).await.status.as_u16(), 404 | 410));
    announce(&app, &leader, 1_500).await.expect(201);
    app.http.settle().await;
}

#[tokio::test]
async fn cancelled_rejected_and_expired_drafts_reserve_nothing() {
    let app = small_plan().await;
    let leader = app.leader().await;
    let upload = announce(&app, &leader, 1_000).await.expect(201);
    let url = begin(&app, &upload, 1_000).await;
    assert_eq!(announce(&app, &leader, 1_000).await.expect(402)["code"], "quota_exceeded");
    call(&app, Method::DELETE, &url, &[], Body::empty()).await.expect(204);

    let upload = announce(&app, &leader, 1_000).await.expect(201);
    put(&app.http, ingest(&upload), MP4, &mp4(999)).await.expect(400);

    announce(&app, &leader, 1_000).await.expect(201);
    app.http.clock.advance(HOUR);
    let leader = app.leader().await;
    announce(&app, &leader, 1_000).await.expect(201);
    app.http.settle().await;
}

#[tokio::test]
async fn an_upload_can_be_cancelled_by_its_uid_and_its_space_is_free() {
    let app = small_plan().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(500)).await;
    let upload = replace(&leader, &uid, 1_000).await.expect(200);
    assert_eq!(replace(&leader, &uid, 1_000).await.expect(402)["code"], "quota_exceeded");
    let path = format!("/v1/uploads/{}", text(&upload, "uid"));
    for _ in 0..2 {
        leader.delete(&path).await.expect(204);
    }
    let after = status(&app, &upload).await;
    assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!("cancelled")));
    assert_eq!(
        put(&app.http, ingest(&upload), MP4, &mp4(1_000)).await.expect(409)["code"],
        "already_rejected"
    );
    replace(&leader, &uid, 1_000).await.expect(200);
    let arrived = leader.delete(&format!("/v1/uploads/{uid}")).await.expect(409);
    assert_eq!(arrived["code"], "already_available");
    app.http.settle().await;
}

#[tokio::test]
async fn only_those_who_may_upload_cancel_an_upload() {
    let app = app_without_plan().await;
    let leader = app.leader().await;
    let upload = announce(&app, &leader, 100).await.expect(201);
    let path = format!("/v1/uploads/{}", text(&upload, "uid"));
    app.http.member(app.org, Role::TeamUser).await.delete(&path).await.expect(403);
    app.user().await.delete(&path).await.expect(403);
    app.http.anonymous().delete(&path).await.expect(401);
    let stranger = app.http.person("stranger@example.com").await;
    stranger.delete(&path).await.expect_error(404, "Upload not found");
    stranger
        .delete(&format!("/v1/uploads/{}", kernel::UploadId::nil()))
        .await
        .expect_error(404, "Upload not found");

    let own = json!({"file": file("me.png", "image/png", b"x")});
    let own = stranger.post("/v1/uploads", own).await.expect(201);
    let own_path = format!("/v1/uploads/{}", text(&own, "uid"));
    leader.delete(&own_path).await.expect_error(404, "Upload not found");
    stranger.delete(&own_path).await.expect(204);
    assert_eq!(status(&app, &upload).await["status"], "pending");
    app.http.settle().await;
}

#[tokio::test]
async fn a_request_in_flight_ends_when_its_upload_is_cancelled_or_its_draft_deleted() {
    let app = app_without_plan().await;
    let leader = app.leader().await;
    let bytes = mp4(3_000_000);
    for what in ["uploads", "content"] {
        let upload = announce(&app, &leader, bytes.len()).await.expect(201);
        let (body, read) = stalling_body(&bytes[..2_000_000]);
        let cancel = async {
            read.await.unwrap();
            leader.delete(&format!("/v1/{what}/{}", text(&upload, "uid"))).await.expect(204);
            assert_eq!(on_disk(&app), 0, "{what}");
        };
        let sent = put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), body);
        let both = async { tokio::join!(sent, cancel) };
        let (answer, ()) = tokio::time::timeout(Duration::from_secs(20), both).await.unwrap();
        assert_eq!(answer.expect(409)["code"], "already_rejected", "{what}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn deleted_content_counts_until_its_files_are_removed() {
    let app = small_plan().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    assert_eq!(announce(&app, &leader, 1_000).await.expect(402)["code"], "quota_exceeded");
    // Again, permanently.
    let permanent = format!("/v1/content/{uid}?permanent=true");
    app.http.member(app.org, Role::TeamUser).await.delete(&permanent).await.expect(403);
    let stranger = app.http.person("stranger@example.com").await;
    stranger.delete(&permanent).await.expect_error(404, "Content not found");
    leader.delete(&permanent).await.expect(204);
    app.http.run_jobs().await;
    assert_eq!(on_disk(&app), 0);
    leader.delete(&permanent).await.expect_error(404, "Content not found");

    let uid = app.upload(&leader, "b.mp4", MP4, &mp4(1_000)).await;
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    app.http.clock.advance(30 * DAY + HOUR);
    app.purge().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "c.mp4", MP4, &mp4(1_500)).await;
    leader.delete(&format!("/v1/content/{uid}?permanent=true")).await.expect(204);
    app.http.run_jobs().await;
    assert_eq!(on_disk(&app), 0);
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_that_is_sent_again_replaces_an_interrupted_request() {
    let settings = ContentSettings { uploads_at_once_person: 1, ..ContentSettings::default() };
    let app = test_app_with(TestOptions { settings, without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(3_000_000);
    let upload = announce(&app, &leader, bytes.len()).await.expect(201);
    let (body, read) = stalling_body(&bytes[..2_000_000]);
    let again = async {
        read.await.unwrap();
        put(&app.http, ingest(&upload), MP4, &bytes).await.expect(200);
    };
    let sent = put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), body);
    let both = async { tokio::join!(sent, again) };
    let (answer, ()) = tokio::time::timeout(Duration::from_secs(20), both).await.unwrap();
    assert!(matches!(answer.status.as_u16(), 408 | 409), "{answer:?}");
    assert!(plays(&app, &upload, &bytes).await);
    // Retrying a completed upload is distinguished from a rejection.
    let arrived = put(&app.http, ingest(&upload), MP4, &bytes).await.expect(409);
    assert_eq!(arrived["code"], "already_available");
    assert_eq!(status(&app, &upload).await["status"], "available");
    assert_eq!(on_disk(&app), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_full_server_says_when_to_try_again() {
    let settings = ContentSettings { uploads_at_once_person: 1, ..ContentSettings::default() };
    let app = test_app_with(TestOptions { settings, without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    let (one, two) =
        (announce(&app, &leader, 1_000).await.expect(201), announce(&app, &leader, 1_000).await.expect(201));
    let (body, read) = stalling_body(&bytes[..500]);
    let refused = async {
        read.await.unwrap();
        let answer = put(&app.http, ingest(&two), MP4, &bytes).await;
        assert_eq!(answer.headers["retry-after"], "5");
        answer.expect(429);
        assert_eq!(status(&app, &two).await["status"], "pending");
        leader.delete(&format!("/v1/uploads/{}", text(&one, "uid"))).await.expect(204);
    };
    let sent = put_body(&app.http, ingest(&one), MP4, Some(bytes.len()), body);
    tokio::join!(sent, refused).0.expect(409);
    put(&app.http, ingest(&two), MP4, &bytes).await.expect(200);
    app.http.settle().await;
}

#[tokio::test]
async fn one_person_has_at_most_a_hundred_drafts() {
    let app = app_without_plan().await;
    let leader = app.leader().await;
    let mut last = Value::Null;
    for _ in 0..100 {
        last = announce(&app, &leader, 10).await.expect(201);
    }
    let refused = announce(&app, &leader, 10).await.expect(409);
    assert_eq!(refused["code"], "too_many_drafts");
    let manager = app.http.member(app.org, Role::Manager).await;
    announce(&app, &manager, 10).await.expect(201);
    put(&app.http, ingest(&last), MP4, &mp4(10)).await.expect(200);
    announce(&app, &leader, 10).await.expect(201);
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_of_deleted_content_is_not_available() {
    let app = app_without_plan().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    let version = replace(&leader, &uid, 2_000).await.expect(200);
    put(&app.http, ingest(&version), MP4, &mp4(2_000)).await.expect(200);
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    for upload in [uid.as_str(), text(&version, "uid")] {
        leader.get(&format!("/v1/uploads/{upload}")).await.expect_error(404, "Upload not found");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_slow_upload_keeps_its_draft_while_bytes_arrive() {
    let app = app_without_plan().await;
    let leader = app.leader().await;
    let bytes = mp4(40_000);
    let upload = announce(&app, &leader, bytes.len()).await.expect(201);
    let frames: Vec<Bytes> = bytes.chunks(1_000).map(Bytes::copy_from_slice).collect();
    let (clock, content) = (app.http.clock.clone(), app.content.clone());
    let slow = stream::iter(frames).then(move |frame| {
        let (clock, content) = (clock.clone(), content.clone());
        async move {
            clock.advance(50 * MINUTE);
            content.purge().await.unwrap();
            Ok::<_, std::io::Error>(frame)
        }
    });
    put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), Body::from_stream(slow)).await.expect(200);
    assert_eq!(status(&app, &upload).await["status"], "available");
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_whose_job_was_lost_can_be_processed_again() {
    let app = app_without_plan().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    let retry = format!("/v1/content/{uid}/processing");
    assert_eq!(leader.post(&retry, json!({})).await.expect(409)["code"], "already_processing");
    app.purge().await;
    assert_eq!(app.content(&leader, &uid).await["processing"], "queued", "its job is waiting");
    sql(&app, "UPDATE job SET state = 'dead'").await;
    assert_eq!(leader.post(&retry, json!({})).await.expect(200)["processing"], "queued");
    sql(&app, "UPDATE job SET state = 'dead'").await;
    app.purge().await;
    let content = app.content(&leader, &uid).await;
    assert_eq!(
        (&content["processing"], &content["processingError"]["code"]),
        (&json!("failed"), &json!("interrupted"))
    );
    assert_eq!(leader.post(&retry, json!({})).await.expect(200)["processing"], "queued");
    sql(&app, "DELETE FROM job WHERE state = 'dead'").await;
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_that_no_row_refers_to_is_removed_after_a_day() {
    let app = app_without_plan().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    app.http.run_jobs().await;
    let upload = replace(&leader, &uid, 2_000).await.expect(200);
    // The file is in the storage when the database fails.
    sql(&app, "ALTER TABLE job RENAME TO elsewhere").await;
    assert!(put(&app.http, ingest(&upload), MP4, &mp4(2_000)).await.status.is_server_error());
    sql(&app, "ALTER TABLE elsewhere RENAME TO job").await;
    assert_eq!(on_disk(&app), 2);
    app.http.clock.advance(DAY + HOUR);
    app.purge().await;
    assert_eq!(on_disk(&app), 1);
    let leader = app.leader().await;
    let url = app.content(&leader, &uid).await["url"].as_str().unwrap().to_owned();
    assert!(app.http.anonymous().get(&url).await.bytes == mp4(1_000));
    app.http.settle().await;
}

#[tokio::test]
async fn received_chunks_are_removed_when_the_whole_file_arrives() {
    let app = app_without_plan().await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    let upload = announce(&app, &leader, 1_000).await.expect(201);
    let url = begin(&app, &upload, 1_000).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..600])).await.expect(204);
    put(&app.http, ingest(&upload), MP4, &bytes).await.expect(200);
    assert_eq!(on_disk(&app), 1);
    assert_eq!(offset(&app, &url).await, 1_000);
    app.http.settle().await;
}

#[tokio::test]
async fn no_new_file_uses_reserved_disk_space() {
    let storage = storage::StorageSettings { reserve_bytes: u64::MAX, ..storage::StorageSettings::default() };
    let app = test_app_with(TestOptions { storage, without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    assert_eq!(announce(&app, &leader, 1_000).await.expect(507)["code"], "storage_full");
    let image = json!({"file": file("me.png", "image/png", b"x")});
    assert_eq!(leader.post("/v1/uploads", image).await.expect(507)["code"], "storage_full");
    let video = json!({"title": "B", "url": "https://youtu.be/x"});
    let video = json!({"content": video, "orgId": app.org.uid, "file": null});
    leader.post("/v1/content", video).await.expect(201);
    app.http.settle().await;
}

#[tokio::test]
async fn a_storage_failure_is_reported_as_temporary() {
    let app = app_without_plan().await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    let upload = announce(&app, &leader, 1_000).await.expect(201);
    let staging = app.http.deps.folder.join("objects/staging");
    std::fs::remove_dir(&staging).unwrap();
    std::fs::write(&staging, "a file is in the way").unwrap();
    let answer = put(&app.http, ingest(&upload), MP4, &bytes).await;
    assert_eq!(answer.expect(503)["code"], "unavailable");
    assert!(answer.headers.contains_key("retry-after"));
    let other = announce(&app, &leader, 1_000).await.expect(201);
    let url = begin(&app, &other, 1_000).await;
    send_chunk(&app, &url, 0, bytes.clone()).await.expect(503);
    std::fs::remove_file(&staging).unwrap();
    std::fs::create_dir(&staging).unwrap();
    put(&app.http, ingest(&upload), MP4, &bytes).await.expect(200);
    send_chunk(&app, &url, 0, bytes).await.expect(204);
    app.http.settle().await;
}
