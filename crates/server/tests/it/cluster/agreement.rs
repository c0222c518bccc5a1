//! What servers share: sessions, wrong passwords, events; and how many connections one serves.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::servers::Cluster;
use super::{cluster, figure};

/// How long a person watches.
const SECONDS: u64 = 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_and_the_wait_after_wrong_passwords_are_those_of_all_servers() {
    let Some((_one, cluster)) = cluster().await else { return };
    let [first, second] = &cluster.direct;
    let token = cluster.sign_in("ada@example.com").await;
    let profile = async |base: &str| {
        let answer = cluster.send(base, Method::GET, "/v1/profiles", &token, Value::Null).await;
        answer.unwrap().status().as_u16()
    };
    assert_eq!((profile(first).await, profile(second).await), (200, 200));
    let began = Instant::now();
    cluster.call(first, Method::POST, "/v1/auth/sign-out", &token, json!({})).await;
    let status = profile(second).await;
    figure("sign-out on one server", &format!("{status} on the other one after {:?}", began.elapsed()));
    assert_eq!(status, 401);

    let account = json!({ "email": "eve@example.com", "password": "wren-tapestry-94" });
    cluster.post("/v1/auth/sign-up", "", account).await;
    let wrong = json!({ "email": "eve@example.com", "password": "wren-tapestry-95" });
    let (mut tries, mut last) = (0, 401);
    while last == 401 {
        let base = &cluster.direct[tries % 2];
        let answer = cluster.send(base, Method::POST, "/v1/auth/sign-in", "", wrong.clone()).await.unwrap();
        last = answer.status().as_u16();
        tries += 1;
        assert!(tries < 20, "nothing stops guessing");
    }
    let other = &cluster.direct[tries % 2];
    let refused = cluster.send(other, Method::POST, "/v1/auth/sign-in", "", wrong).await.unwrap().status();
    figure(
        "wrong passwords, sent to both in turn",
        &format!("{last} at try {tries}, then {refused} at the other"),
    );
    assert_eq!((last, refused.as_u16()), (429, 429));
    cluster.verify().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn passwords_that_are_tried_at_once_on_two_servers_are_three_on_each() {
    const AT_ONCE: usize = 8;
    let Some((_one, cluster)) = cluster().await else { return };
    let account = json!({ "email": "eve@example.com", "password": "wren-tapestry-94" });
    cluster.post("/v1/auth/sign-up", "", account).await;
    let tries = (0..2 * AT_ONCE).map(async |number| {
        let wrong = json!({ "email": "eve@example.com", "password": format!("wren-tapestry-{number}") });
        let sent =
            cluster.send(&cluster.direct[number % 2], Method::POST, "/v1/auth/sign-in", "", wrong).await;
        sent.unwrap().status().as_u16()
    });
    let answers = futures::future::join_all(tries).await;
    let checked = answers.iter().filter(|status| **status == 401).count();
    figure(
        "wrong passwords, sent to both at once",
        &format!("{checked} of {} are checked, the others are asked to wait", answers.len()),
    );
    assert!(
        (1..=6).contains(&checked) && answers.iter().all(|status| [401, 429].contains(status)),
        "{answers:?}"
    );
    cluster.verify().await;
}

/// Joins as an app user who consents, and returns the token.
async fn viewer(cluster: &Cluster, (token, org): (&str, &str), email: &str) -> String {
    let public = json!({ "organisation": { "privacy": "public" } });
    cluster.call(&cluster.url, Method::PATCH, &format!("/v1/organizations/{org}"), token, public).await;
    let link = cluster.post(&format!("/v1/organizations/{org}/joinUrl"), token, json!({})).await;
    let code =
        link["joinUrl"].as_str().unwrap().trim_end_matches('/').rsplit(['/', '=']).next().unwrap().to_owned();
    let viewer = cluster.sign_in(email).await;
    cluster.post(&format!("/v1/join/{code}"), &viewer, testkit::answer(true)).await;
    viewer
}

/// A new person watches ten seconds of a new item, and each event is sent three times, to both servers. Returns what is counted of
/// that: views and milliseconds.
pub async fn report_to_both(cluster: &Cluster, (token, org): (&str, &str), email: &str) -> Value {
    let url = json!({ "title": "F", "url": "https://vimeo.com/1084537" });
    let new = json!({ "content": url, "orgId": org, "file": null, "notifyUsers": false });
    let video = cluster.post("/v1/content", token, new).await["uid"].clone();
    let list = json!({ "playlist": { "title": "P", "items": [video], "privacy": "public" }, "orgId": org });
    let playlist = cluster.post("/v1/playlists", token, list).await["uid"].clone();
    let viewer = viewer(cluster, (token, org), email).await;
    let before = totals(cluster, (token, org)).await;
    let ambient = kernel::Ambient::system();
    let view: kernel::Uid = ambient.uid();
    for seq in 0..=SECONDS {
        // In real time, because nothing counts that is said to have been before the person joined.
        let (from, to, at) = (seq.saturating_sub(1) * 1000, seq * 1000, kernel::iso(ambient.now()));
        let beat = json!({ "kind": "beat", "id": ambient.uid::<kernel::Uid>(), "viewId": view, "seq": seq,
            "contentId": video, "playlistId": playlist, "from": from, "to": to, "rate": 1, "state": "playing", "time": at });
        let body = json!({ "orgId": org, "events": [beat] });
        let sent = [0, 1, 0].map(|server| {
            cluster.send(&cluster.direct[server], Method::POST, "/v1/events", &viewer, body.clone())
        });
        for answer in futures::future::join_all(sent).await {
            let answer: Value = answer.unwrap().error_for_status().unwrap().json().await.unwrap();
            assert_eq!(answer["rejected"], json!([]), "{answer}");
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let after = totals(cluster, (token, org)).await;
    json!([after[0] - before[0], after[1] - before[1]])
}

/// Returns the views and the milliseconds of an organisation.
async fn totals(cluster: &Cluster, (token, org): (&str, &str)) -> [i64; 2] {
    let path = format!("/v1/organizations/{org}/dashboard");
    let stats = cluster.call(&cluster.direct[0], Method::GET, &path, token, Value::Null).await;
    ["views", "watchTimeMs"].map(|name| stats["totalStats"][name].as_i64().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn events_that_are_reported_to_two_servers_count_once() {
    let Some((_one, cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let counted = report_to_both(&cluster, (&token, &org), "viewer@example.com").await;
    figure(
        "events, each sent three times to two servers",
        &format!("{} requests about {SECONDS} s: {} view, {} ms", 3 * (SECONDS + 1), counted[0], counted[1]),
    );
    assert_eq!(counted, json!([1, SECONDS * 1000]));
    cluster.verify().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_thousand_connections_of_a_balancer_are_served() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    const CONNECTIONS: usize = 2000;
    let Some((_one, cluster)) = cluster().await else { return };
    let address = cluster.direct[0].strip_prefix("http://").unwrap();
    let (mut open, mut refused) = (Vec::new(), 0);
    let began = Instant::now();
    for _ in 0..CONNECTIONS {
        let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
        socket.write_all(b"GET /healthz HTTP/1.1\r\nHost: vitrine.test\r\n\r\n").await.unwrap();
        let mut head = [0; 12];
        match socket.read_exact(&mut head).await {
            Ok(_) if &head == b"HTTP/1.1 200" => open.push(socket),
            _ => refused += 1,
        }
    }
    figure(
        "connections from one address that stay open",
        &format!("{} of {CONNECTIONS} in {:.1?}, {refused} refused", open.len(), began.elapsed()),
    );
    assert_eq!(refused, 0);
    drop(open);
    cluster.verify().await;
}
