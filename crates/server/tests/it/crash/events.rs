//! Events that the program acknowledged survive its kill, and those that are sent again count once.
//! `VITRINE_TEST_LONG=1` kills it twenty times.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kernel::{Ambient, EventId, SECOND, ViewId, iso};
use reqwest::Method;
use serde_json::{Value, json};

use super::{TestApp, organisation};

/// People who send events, one request after another.
const PEOPLE: usize = 4;
/// Watch time that each request reports.
const WATCHED: i64 = 2 * SECOND;

/// Where a viewer sends what.
#[derive(Clone)]
struct Viewer {
    http: reqwest::Client,
    url: String,
    token: String,
    org: String,
    video: String,
}

impl Viewer {
    /// Two seconds of a video, as a new view.
    fn request(&self, ambient: &Ambient) -> Value {
        let (now, view): (_, ViewId) = (ambient.now(), ambient.uid());
        let beats = (0..=2).map(|seq| {
            let to = seq * SECOND;
            json!({
                "kind": "beat", "id": ambient.uid::<EventId>(), "viewId": view, "seq": seq, "contentId": self.video,
                "from": (to - SECOND).max(0), "to": to, "rate": 1, "state": "playing",
                "time": iso(now - WATCHED + to),
            })
        });
        json!({ "orgId": self.org, "events": beats.collect::<Vec<_>>() })
    }

    /// Sends a request until it is acknowledged.
    async fn send(&self, request: &Value) {
        for _ in 0..600 {
            let sent =
                self.http.post(format!("{}/v1/events", self.url)).bearer_auth(&self.token).json(request);
            if let Ok(response) = sent.send().await
                && let Ok(answer) = response.json::<Value>().await
            {
                assert_eq!(answer, json!({ "accepted": 3, "rejected": [] }));
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the program does not answer");
    }
}

/// Lets people join who watch a video of a new organisation. Returns them with the owner's token.
async fn audience(app: &TestApp) -> (Vec<Viewer>, String) {
    let owner = app.sign_in("ada@example.com").await;
    let org = organisation(app, &owner).await;
    let path = format!("/v1/organizations/{org}");
    let public = json!({ "organisation": { "privacy": "public" } });
    app.call(Method::PATCH, &path, &owner, public).await;
    let content = json!({ "title": "A video", "privacy": "public", "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let new = json!({ "content": content, "orgId": org, "file": null, "notifyUsers": false });
    let video = app.call(Method::POST, "/v1/content", &owner, new).await["uid"].as_str().unwrap().to_owned();
    let playlist =
        json!({ "playlist": { "title": "Videos", "items": [video], "privacy": "public" }, "orgId": org });
    app.call(Method::POST, "/v1/playlists", &owner, playlist).await;
    let link = app.call(Method::POST, &format!("{path}/joinUrl"), &owner, json!({})).await;
    let code = link["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let mut viewers = Vec::new();
    for number in 0..PEOPLE {
        let token = app.sign_in(&format!("viewer{number}@example.com")).await;
        let consent = testkit::answer(number % 2 == 0);
        app.call(Method::POST, &format!("/v1/join/{code}"), &token, consent).await;
        let (http, url) = (app.http.clone(), app.url.clone());
        viewers.push(Viewer { http, url, token, org: org.clone(), video: video.clone() });
    }
    // What is from before they joined does not count.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    (viewers, owner)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_lose_no_acknowledged_events() {
    let kills = if std::env::var_os("VITRINE_TEST_LONG").is_some() { 20 } else { 3 };
    let mut app = TestApp::start();
    let (viewers, owner) = audience(&app).await;
    let (is_over, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let org = viewers[0].org.clone();
    let senders: Vec<_> = viewers
        .into_iter()
        .map(|viewer| {
            let (is_over, acknowledged) = (Arc::clone(&is_over), Arc::clone(&acknowledged));
            tokio::spawn(async move {
                let ambient = Ambient::system();
                while !is_over.load(Ordering::Relaxed) {
                    let request = viewer.request(&ambient);
                    viewer.send(&request).await;
                    acknowledged.fetch_add(1, Ordering::Relaxed);
                    // So that a person stays below two hours an hour.
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            })
        })
        .collect();
    for kill in 0..kills {
        tokio::time::sleep(Duration::from_millis(150 + 37 * kill)).await;
        app.crash();
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    is_over.store(true, Ordering::Relaxed);
    for sender in senders {
        sender.await.unwrap();
    }
    let requests = i64::try_from(acknowledged.load(Ordering::Relaxed)).unwrap();
    println!("{requests} requests acknowledged, {kills} kills");
    assert!(requests > i64::try_from(kills).unwrap());
    let path = format!("/v1/organizations/{org}/dashboard");
    let dashboard = app.call(Method::GET, &path, &owner, Value::Null).await;
    let watched = dashboard["totalStats"]["watchTimeMs"].as_i64().unwrap();
    assert_eq!(watched, requests * WATCHED, "each request counts once");
}
