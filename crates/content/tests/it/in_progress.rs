//! Uploads in progress, and what changes before they end: rights, other requests, space in the plan.

use axum::body::Body;
use bytes::Bytes;
use content::{ContentSettings, Limits};
use futures::StreamExt as _;
use futures::stream;
use http::{Method, header};
use kernel::{HOUR, SECOND};
use orgs::Role;
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use testkit::{ApiResponse, Client};

use crate::{MP4, TestApp, TestOptions, file, ingest, mp4, on_disk, put, put_body, test_app_with};

async fn test_app() -> TestApp {
    test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await
}

/// A body that sends half of the bytes, waits for `meanwhile`, and sends the rest.
fn interrupted(bytes: &[u8], meanwhile: impl Future<Output = ()> + Send + 'static) -> Body {
    let (first, rest) = bytes.split_at(bytes.len() / 2);
    let (first, rest) = (Bytes::copy_from_slice(first), Bytes::copy_from_slice(rest));
    let rest = stream::once(async move {
        meanwhile.await;
        Ok::<_, std::io::Error>(rest)
    });
    Body::from_stream(stream::iter([Ok(first)]).chain(rest))
}

/// Announces a new version of an item's file.
async fn replace(client: &Client, uid: &str, file: Value) -> ApiResponse {
    client.post(&format!("/v1/content/{uid}"), json!({"file": file})).await
}

async fn run(db: db::Db, sql: &'static str) {
    let tx = db.write_tx().await.unwrap();
    tx.execute_unprepared(sql).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn people_who_lost_the_right_cannot_finish_an_upload() {
    let app = test_app().await;
    let leader = app.leader().await;
    let (old, new) = (mp4(10_000), mp4(20_000));
    let uid = app.upload(&leader, "old.mp4", MP4, &old).await;
    let pending = replace(&leader, &uid, file("new.mp4", MP4, &new)).await.expect(200);
    let logo = json!({"file": file("a.png", "image/png", &new), "orgId": app.org.uid});
    let logo = leader.post("/v1/uploads", logo).await.expect(201);

    let tx = app.http.deps.db.write_tx().await.unwrap();
    app.http.deps.orgs.appoint(&tx, app.org.uid, leader.uid(), Role::User).await.unwrap();
    tx.commit().await.unwrap();
    let path = format!("/v1/uploads/{}", pending["uid"].as_str().unwrap());
    leader.get(&path).await.expect(403);
    for (upload, mime) in [(&pending, MP4), (&logo, "image/png")] {
        assert_eq!(put(&app.http, ingest(upload), mime, &new).await.expect(403)["code"], "right_withdrawn");
    }
    let tx = app.http.deps.db.write_tx().await.unwrap();
    app.http.deps.orgs.appoint(&tx, app.org.uid, leader.uid(), None).await.unwrap();
    tx.commit().await.unwrap();
    leader.get(&path).await.expect_error(404, "Upload not found");

    let other = app.http.member(app.org, Role::Manager).await;
    let after = other.get(&path).await.expect(200);
    assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!("right_withdrawn")));
    let url = app.content(&other, &uid).await["url"].as_str().unwrap().to_owned();
    assert!(app.http.anonymous().get(&url).await.bytes == old, "the old video is served");
    assert_eq!(on_disk(&app), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_right_withdrawn_during_the_upload_is_noticed_at_the_end() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = mp4(100_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let demoted = run(app.http.deps.db.clone(), "UPDATE membership SET role = 'teamUser'");
    let body = interrupted(&bytes, demoted);
    let answer = put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), body).await.expect(403);
    assert_eq!(answer["code"], "right_withdrawn");
    assert_eq!(on_disk(&app), 0);
    app.http.settle().await;
}

#[tokio::test]
async fn a_wrong_second_request_does_not_end_an_upload_in_progress() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = mp4(100_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let anonymous = app.http.anonymous();
    let wrong = anonymous.request(Method::PUT, ingest(&upload)).header(header::CONTENT_TYPE, "video/webm");
    let wrong = wrong.body(Body::from("x")).unwrap();
    let second = async move {
        let answer = anonymous.send(wrong).await;
        assert_eq!(answer.expect(400)["code"], "type_mismatch");
    };
    let body = interrupted(&bytes, second);
    put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), body).await.expect(200);
    app.http.settle().await;
}

#[tokio::test]
async fn an_upload_rejected_by_another_server_leaves_nothing() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = mp4(100_000);
    let old = mp4(1_000);
    let uid = app.upload(&leader, "old.mp4", MP4, &old).await;
    let upload = replace(&leader, &uid, file("a.mp4", MP4, &bytes)).await.expect(200);
    let rejected = "UPDATE upload SET status = 'rejected' WHERE status = 'pending'";
    let body = interrupted(&bytes, run(app.http.deps.db.clone(), rejected));
    let answer = put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), body).await.expect(409);
    assert_eq!(answer["code"], "already_rejected");
    assert_eq!(on_disk(&app), 1, "only the served version");
    app.http.settle().await;
}

#[tokio::test]
async fn one_person_can_take_only_some_upload_slots() {
    let settings = ContentSettings { uploads_at_once_person: 1, ..ContentSettings::default() };
    let app = test_app_with(TestOptions { settings, without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let other = app.http.member(app.org, Role::Manager).await;
    let bytes = mp4(100_000);
    let mut waiting = Vec::new();
    for (client, expected) in [(&leader, 429), (&other, 200)] {
        let upload = app.announce(client, file("a.mp4", MP4, &bytes)).await.expect(201);
        let anonymous = app.http.anonymous();
        let request = anonymous.request(Method::PUT, ingest(&upload)).header(header::CONTENT_TYPE, MP4);
        let request = request.body(Body::from(bytes.clone())).unwrap();
        waiting.push(async move {
            anonymous.send(request).await.expect(expected);
        });
    }
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let body = interrupted(&bytes, async move {
        for request in waiting {
            request.await;
        }
    });
    put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), body).await.expect(200);
    app.http.settle().await;
}

#[tokio::test]
async fn a_version_without_a_size_is_checked_against_the_plan_before_it_is_received() {
    let limits = Limits { file_bytes: 1_000, total_bytes: Some(1_500) };
    let app =
        test_app_with(TestOptions { limits: Some(limits), without_ffmpeg: true, ..TestOptions::default() })
            .await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(600)).await;
    for (len, code) in [(1_001, "file_too_large"), (901, "quota_exceeded")] {
        let new = json!({"name": "b.mp4", "checksum": file("b.mp4", MP4, &mp4(len))["checksum"]});
        let upload = replace(&leader, &uid, new).await.expect(200);
        // The body never sends anything, so a response that waited for the bytes would never arrive.
        let body = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
        let answer = put_body(&app.http, ingest(&upload), MP4, Some(len), body).await.expect(402);
        assert_eq!(answer["code"], code);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn space_taken_by_another_upload_is_noticed_at_the_end() {
    let limits = Limits { file_bytes: 1_000, total_bytes: Some(1_500) };
    let app =
        test_app_with(TestOptions { limits: Some(limits), without_ffmpeg: true, ..TestOptions::default() })
            .await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(500)).await;
    let new = mp4(1_000);
    let upload = replace(&leader, &uid, file("b.mp4", MP4, &new)).await.expect(200);
    let announced = file("c.mp4", MP4, &mp4(900));
    app.announce(&leader, announced.clone()).await.expect(402);
    // The reservation expires while the file is still arriving.
    let (db, other) = (app.http.deps.db.clone(), app.http.member(app.org, Role::Manager).await);
    let third = json!({"content": {"title": "C"}, "orgId": app.org.uid, "file": announced});
    let body = interrupted(&new, async move {
        run(db, "UPDATE upload SET expires_at = 0").await;
        other.post("/v1/content", third).await.expect(201);
    });
    let answer = put_body(&app.http, ingest(&upload), MP4, Some(new.len()), body).await.expect(402);
    assert_eq!(answer["code"], "quota_exceeded");
    app.http.settle().await;
}

#[tokio::test]
async fn space_stays_reserved_while_the_file_arrives() {
    let limits = Limits { file_bytes: 1_000, total_bytes: Some(1_500) };
    let app =
        test_app_with(TestOptions { limits: Some(limits), without_ffmpeg: true, ..TestOptions::default() })
            .await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(500)).await;
    let new = mp4(1_000);
    let upload = replace(&leader, &uid, file("b.mp4", MP4, &new)).await.expect(200);
    app.http.clock.advance(HOUR - SECOND);
    let (clock, other) = (app.http.clock.clone(), app.http.member(app.org, Role::Manager).await);
    let announced = file("c.mp4", MP4, &mp4(900));
    let third = json!({"content": {"title": "C"}, "orgId": app.org.uid, "file": announced});
    let body = interrupted(&new, async move {
        clock.advance(SECOND);
        other.post("/v1/content", third).await.expect(402);
    });
    put_body(&app.http, ingest(&upload), MP4, Some(new.len()), body).await.expect(200);
    app.http.settle().await;
}
