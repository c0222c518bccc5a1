//! The program, killed at every step of an upload: what it acknowledged is there, and the rest is either
//! complete or invisible.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Response;
use serde_json::json;

use super::{Announced, Uploader, bitmap};

/// Number of kills for each kind of upload.
const KILLS: u32 = 20;

impl Uploader {
    async fn announce_bytes(&self) -> Announced {
        self.announce("a.bin", "application/octet-stream").await
    }

    /// Returns whether the upload is available, and checks that its visible content is complete or absent.
    pub(super) async fn is_whole(&self, uid: &str) -> bool {
        let status = self.get(&format!("/v1/uploads/{uid}")).await["status"].clone();
        let content = self.get(&format!("/v1/content/{uid}")).await;
        let url = content["url"].as_str().unwrap();
        match status.as_str() {
            Some("pending") => {
                assert_eq!((&content["type"], url), (&json!("draft"), ""));
                false
            }
            Some("available") => {
                let stored = self.app.http.get(url).send().await.unwrap().bytes().await.unwrap();
                assert!(stored == self.bytes, "the stored file equals the uploaded one");
                true
            }
            other => panic!("{other:?}"),
        }
    }

    async fn create(&self, announced: &Announced) -> Response {
        let metadata = format!("ingest {}", STANDARD.encode(&announced.ingest));
        let request = self.app.http.post(format!("{}/v1/uploads/tus", self.app.url));
        let request = request.header("upload-length", self.bytes.len()).header("upload-metadata", metadata);
        request.header("tus-resumable", "1.0.0").send().await.unwrap()
    }

    pub(super) async fn begin(&self, announced: &Announced) -> String {
        let response = self.create(announced).await;
        assert_eq!(response.status(), 201);
        response.headers()["location"].to_str().unwrap().to_owned()
    }

    /// Starts a resumable upload on a server that may reject it.
    pub(super) async fn try_begin(&self, announced: &Announced) -> Option<String> {
        let response = self.create(announced).await;
        let status = response.status();
        assert!(matches!(status.as_u16(), 201 | 503 | 507), "{status}");
        let location = response.headers().get("location").filter(|_| status == 201)?;
        Some(location.to_str().unwrap().to_owned())
    }

    pub(super) async fn offset(&self, upload_url: &str) -> usize {
        let response = self.app.http.head(upload_url).header("tus-resumable", "1.0.0").send().await.unwrap();
        assert_eq!(response.status(), 200);
        offset_in(&response)
    }

    /// Starts sending in the background; the response may never arrive.
    pub(super) fn send_chunk(
        &self,
        upload_url: &str,
        from: usize,
        to: usize,
    ) -> tokio::task::JoinHandle<reqwest::Result<Response>> {
        let request = self.app.http.patch(upload_url).header("tus-resumable", "1.0.0");
        let request =
            request.header("upload-offset", from).header("content-type", "application/offset+octet-stream");
        tokio::spawn(request.body(self.bytes[from..to].to_vec()).send())
    }

    fn put(&self, announced: &Announced) -> tokio::task::JoinHandle<reqwest::Result<Response>> {
        let request = self.app.http.put(&announced.ingest);
        let request = request.header("content-type", "application/octet-stream");
        tokio::spawn(request.body(self.bytes.clone()).send())
    }
}

fn offset_in(response: &Response) -> usize {
    response.headers()["upload-offset"].to_str().unwrap().parse().unwrap()
}

/// Returns the time of the given kill, spread from the start of `whole` to slightly after its end.
fn kill_delay(whole: Duration, kill: u32) -> Duration {
    whole * kill * 11 / (KILLS * 10)
}

#[tokio::test]
async fn a_put_that_is_killed_at_any_time_is_complete_or_can_be_repeated() {
    let mut run = Uploader::open(bitmap()).await;
    let baseline = run.announce_bytes().await;
    let started = Instant::now();
    assert_eq!(run.put(&baseline).await.unwrap().unwrap().status(), 200);
    let whole = started.elapsed();
    let (mut announced, mut done) = (run.announce_bytes().await, Vec::new());
    for kill in 0..KILLS {
        let sent = run.put(&announced);
        tokio::time::sleep(kill_delay(whole, kill)).await;
        run.app.crash();
        let acknowledged = sent.await.unwrap().is_ok_and(|response| response.status() == 200);
        let is_whole = run.is_whole(&announced.uid).await;
        assert!(is_whole || !acknowledged, "kill {kill}: acknowledged data is missing");
        if is_whole {
            done.push(std::mem::replace(&mut announced, run.announce_bytes().await).uid);
        }
    }
    assert_eq!(run.put(&announced).await.unwrap().unwrap().status(), 200);
    for uid in done.iter().chain([&announced.uid, &baseline.uid]) {
        assert!(run.is_whole(uid).await);
    }
}

#[tokio::test]
async fn a_resumable_upload_that_is_killed_at_any_time_resumes_where_it_was_acknowledged() {
    let mut run = Uploader::open(bitmap()).await;
    let len = run.bytes.len();
    let baseline = run.announce_bytes().await;
    let upload_url = run.begin(&baseline).await;
    let started = Instant::now();
    assert_eq!(run.send_chunk(&upload_url, 0, len).await.unwrap().unwrap().status(), 204);
    let whole = started.elapsed();
    let mut uids = vec![baseline.uid];
    let mut announced = run.announce_bytes().await;
    let mut upload_url = run.begin(&announced).await;
    let mut safe = 0;
    for kill in 0..KILLS {
        // Alternates between a chunk in the middle and the last one, which completes the upload.
        let to = if kill % 2 == 0 { (safe + len / 12).min(len) } else { len };
        let sent = run.send_chunk(&upload_url, safe, to);
        tokio::time::sleep(kill_delay(whole, kill)).await;
        run.app.crash();
        if let Ok(response) = sent.await.unwrap() {
            assert_eq!(response.status(), 204);
            safe = offset_in(&response);
        }
        let at = run.offset(&upload_url).await;
        assert!((safe..=to).contains(&at), "kill {kill}: {safe} acknowledged, {at} there, {to} sent");
        assert_eq!(run.is_whole(&announced.uid).await, at == len, "kill {kill}");
        safe = at;
        if at == len {
            uids.push(std::mem::replace(&mut announced, run.announce_bytes().await).uid);
            (upload_url, safe) = (run.begin(&announced).await, 0);
        }
    }
    assert_eq!(run.send_chunk(&upload_url, safe, len).await.unwrap().unwrap().status(), 204);
    uids.push(announced.uid);
    for uid in &uids {
        assert!(run.is_whole(uid).await);
    }
}
