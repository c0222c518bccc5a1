//! Permissions withdrawn while a response is being sent, and sessions that end.

use axum::body::{Body, Bytes};
use http_body_util::BodyExt as _;
use kernel::{HOUR, Privacy, Uid};
use serde_json::json;
use testkit::Client;

use crate::renditions::text;
use crate::{Change, MP4, Stage, file, ingest, mp4, put, stage_with};

/// Bytes of the video: more than a response sends without checking the permission again.
const LEN: usize = 40 * 1024 * 1024;
/// Maximum bytes sent after the permission is withdrawn: those sent between two checks, and one chunk.
const AT_MOST: usize = 17 * 1024 * 1024;

async fn quiet() -> Stage {
    stage_with(Change { without_ffmpeg: true, ..Change::default() }).await
}

/// Returns the address under which an app user sees an item in a public playlist.
async fn address(stage: &Stage, user: &Client, uid: &str) -> String {
    let playlist = Uid::from_u128(77);
    stage.shop.set(playlist, Privacy::Public, &[uid.parse().unwrap()]);
    let path = format!("/v1/test/{}/{playlist}/public/{uid}", stage.org.uid);
    text(&user.get(&path).await.expect(200)[0], "url")
}

/// A response of which the first bytes have been read.
struct Running {
    body: Body,
    bytes: usize,
}

impl Running {
    async fn begin(stage: &Stage, url: &str) -> Self {
        let answer = stage.app.anonymous().begin(url).await;
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
    assert!(!whole && bytes <= AT_MOST, "{bytes} bytes came, {whole}");
}

#[tokio::test]
async fn a_running_answer_ends_when_its_content_is_hidden() {
    let stage = quiet().await;
    let (leader, user) = (stage.leader().await, stage.user().await);
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(LEN)).await;
    let url = address(&stage, &user, &uid).await;
    let (own, path) = (text(&stage.content(&leader, &uid).await, "url"), format!("/v1/content/{uid}"));
    let (allowed, staff) = (Running::begin(&stage, &url).await, Running::begin(&stage, &own).await);
    assert!(allowed.rest().await.0);
    let running = Running::begin(&stage, &url).await;
    leader.patch(&path, json!({"content": {"privacy": "private"}})).await.expect(200);
    assert_cut(running.rest().await);
    assert!(staff.rest().await.0, "staff see what is private");
    stage.app.settle().await;
}

#[tokio::test]
async fn a_running_answer_is_not_cut_by_the_time_of_its_address() {
    let stage = quiet().await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(LEN)).await;
    let running = Running::begin(&stage, &text(&stage.content(&leader, &uid).await, "url")).await;
    stage.app.clock.pass(2 * HOUR);
    assert!(running.rest().await.0, "a long download continues");
    stage.app.settle().await;
}

#[tokio::test]
async fn a_running_answer_ends_when_its_file_was_replaced() {
    let stage = quiet().await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(LEN)).await;
    let url = text(&stage.content(&leader, &uid).await, "url");
    let running = Running::begin(&stage, &url).await;
    let new = mp4(2_000);
    let body = json!({"file": file("b.mp4", MP4, &new)});
    let upload = leader.post(&format!("/v1/content/{uid}"), body).await.expect(200);
    put(&stage.app, ingest(&upload), MP4, &new).await.expect(200);
    assert_cut(running.rest().await);
    assert!(stage.app.anonymous().get(&url).await.bytes == new);
    stage.app.run_jobs().await;
    stage.app.settle().await;
}

#[tokio::test]
async fn signing_out_ends_playback_of_that_session_and_of_all_of_them_where_that_is_asked_for() {
    let stage = quiet().await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(LEN)).await;
    let (here, there) = (stage.user().await, stage.user().await);
    let (one, two) = (address(&stage, &here, &uid).await, address(&stage, &there, &uid).await);
    assert_ne!(one, two, "an address belongs to a session");
    let nobody = stage.app.anonymous();
    let running = Running::begin(&stage, &one).await;
    here.post("/v1/auth/sign-out", json!({})).await.expect(204);
    assert_eq!(nobody.get(&one).await.expect(403)["code"], "grant_expired");
    there.post("/v1/media/grants/renew", json!({"url": one})).await.expect(403);
    assert_cut(running.rest().await);
    nobody.get(&two).await.expect(200);
    let elsewhere = stage.user().await;
    elsewhere.post("/v1/auth/sign-out?everywhere=1", json!({})).await.expect(204);
    assert_eq!(nobody.get(&two).await.expect(403)["code"], "grant_expired");
    stage.app.settle().await;
}
