//! Permissions withdrawn while a response is being sent, and sessions that end.

use axum::body::{Body, Bytes};
use http_body_util::BodyExt as _;
use kernel::{HOUR, PlaylistId, Privacy};
use serde_json::json;
use testkit::Client;

use crate::renditions::text;
use crate::{MP4, TestApp, TestOptions, file, ingest, mp4, put, test_app_with};

/// Bytes of the video: more than a response sends without checking the permission again.
const LEN: usize = 40 * 1024 * 1024;
/// Maximum bytes sent after the permission is withdrawn: those sent between two checks, and one chunk.
const AT_MOST: usize = 17 * 1024 * 1024;

async fn app_without_ffmpeg() -> TestApp {
    test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await
}

/// Returns the address under which an app user sees an item in a public playlist.
async fn address(app: &TestApp, user: &Client, uid: &str) -> String {
    let playlist = PlaylistId::from_u128(77);
    app.fake_playlists.set(playlist, Privacy::Public, &[uid.parse().unwrap()]);
    let path = format!("/v1/test/{}/{playlist}/{uid}", app.org.uid);
    text(&user.get(&path).await.expect(200)[0], "url")
}

/// A response of which the first bytes have been read.
struct OpenResponse {
    body: Body,
    bytes: usize,
}

impl OpenResponse {
    async fn begin(app: &TestApp, url: &str) -> Self {
        let answer = app.http.anonymous().get_stream(url).await;
        assert_eq!(answer.status(), 200);
        let mut running = Self { body: answer.into_body(), bytes: 0 };
        running.next().await.unwrap();
        running
    }

    async fn next(&mut self) -> Result<Option<Bytes>, axum::Error> {
        let Some(frame) = self.body.frame().await.transpose()? else { return Ok(None) };
        let data = frame.into_data().unwrap();
        self.bytes += data.len();
        Ok(Some(data))
    }

    /// Reads the rest. Returns whether the end was reached, and how many bytes arrived.
    async fn rest(mut self) -> (bool, usize) {
        let before = self.bytes;
        loop {
            match self.next().await {
                Ok(Some(_)) => {}
                Ok(None) => return (true, self.bytes - before),
                Err(_) => return (false, self.bytes - before),
            }
        }
    }
}

#[track_caller]
fn assert_cut((whole, bytes): (bool, usize)) {
    assert!(!whole && bytes <= AT_MOST, "{bytes} bytes arrived, {whole}");
}

#[tokio::test]
async fn a_response_in_progress_ends_when_its_content_is_hidden() {
    let app = app_without_ffmpeg().await;
    let (leader, user) = (app.leader().await, app.user().await);
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(LEN)).await;
    let url = address(&app, &user, &uid).await;
    let (own, path) = (text(&app.content(&leader, &uid).await, "url"), format!("/v1/content/{uid}"));
    let (allowed, staff) = (OpenResponse::begin(&app, &url).await, OpenResponse::begin(&app, &own).await);
    assert!(allowed.rest().await.0);
    let running = OpenResponse::begin(&app, &url).await;
    leader.patch(&path, json!({"content": {"privacy": "private"}})).await.expect(200);
    assert_cut(running.rest().await);
    assert!(staff.rest().await.0, "staff see what is private");
    app.http.settle().await;
}

#[tokio::test]
async fn a_response_in_progress_outlives_its_address() {
    let app = app_without_ffmpeg().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(LEN)).await;
    let running = OpenResponse::begin(&app, &text(&app.content(&leader, &uid).await, "url")).await;
    app.http.clock.advance(2 * HOUR);
    assert!(running.rest().await.0, "a long download continues");
    app.http.settle().await;
}

#[tokio::test]
async fn a_response_in_progress_ends_when_its_file_is_replaced() {
    let app = app_without_ffmpeg().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(LEN)).await;
    let url = text(&app.content(&leader, &uid).await, "url");
    let running = OpenResponse::begin(&app, &url).await;
    let new = mp4(2_000);
    let body = json!({"file": file("b.mp4", MP4, &new)});
    let upload = leader.post(&format!("/v1/content/{uid}"), body).await.expect(200);
    put(&app.http, ingest(&upload), MP4, &new).await.expect(200);
    assert_cut(running.rest().await);
    assert!(app.http.anonymous().get(&url).await.bytes == new);
    app.http.run_jobs().await;
    app.http.settle().await;
}

#[tokio::test]
async fn signing_out_ends_playback_of_one_session_or_of_all() {
    let app = app_without_ffmpeg().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(LEN)).await;
    let (here, there) = (app.user().await, app.user().await);
    let (one, two) = (address(&app, &here, &uid).await, address(&app, &there, &uid).await);
    assert_ne!(one, two, "an address belongs to a session");
    let anonymous = app.http.anonymous();
    let running = OpenResponse::begin(&app, &one).await;
    here.post("/v1/auth/sign-out", json!({})).await.expect(204);
    assert_eq!(anonymous.get(&one).await.expect(403)["code"], "grant_expired");
    there.post("/v1/media/grants/renew", json!({"url": one})).await.expect(403);
    assert_cut(running.rest().await);
    anonymous.get(&two).await.expect(200);
    let elsewhere = app.user().await;
    elsewhere.post("/v1/auth/sign-out?everywhere=1", json!({})).await.expect(204);
    assert_eq!(anonymous.get(&two).await.expect(403)["code"], "grant_expired");
    app.http.settle().await;
}
