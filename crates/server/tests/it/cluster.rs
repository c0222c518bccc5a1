//! Two servers and a worker on PostgreSQL with a synchronous standby behind `HAProxy`, an S3 server and nginx, while parts of them
//! fail. Each test prints what it measured. They need the packages of `tools/deps cluster` and minutes, so they run with
//! `make cluster` only (`VITRINE_TEST_CLUSTER=1`).

mod failures;
mod load;
mod parts;
mod servers;

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use load::Load;
use servers::Cluster;

/// One cluster at a time: they would slow each other down.
static ONE: Mutex<()> = Mutex::const_new(());

/// Starts a cluster, if they are to be tested.
async fn cluster() -> Option<(MutexGuard<'static, ()>, Cluster)> {
    std::env::var_os("VITRINE_TEST_CLUSTER")?;
    let one = ONE.lock().await;
    Some((one, Cluster::start().await))
}

/// Prints a figure under the name of its line.
fn figure(line: &str, measured: &str) {
    println!("cluster: {line}: {measured}");
}

/// Returns a file whose bytes repeat nowhere near.
fn bytes(len: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let next = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    next.take(len).collect()
}

/// The short form, for every change: real processes on the PostgreSQL server of the run, without proxies.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_and_a_worker_are_one_installation_and_one_of_them_may_die() {
    if std::env::var_os("VITRINE_TEST_POSTGRES").is_none_or(|server| server.is_empty()) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let database = testkit::Database::fresh(folder.path()).await;
    let mut cluster = Cluster::small(&database).await;
    let [first, second] = cluster.direct.clone();
    // The worker sends the email.
    let (token, org) = cluster.owner().await;
    let file = bytes(100_000);
    let uid = cluster.upload((&token, &org), &file, "application/octet-stream").await;
    cluster.servers[0].kill();
    cluster.url = second;
    let url = cluster.item(&token, &uid).await["url"].as_str().unwrap().to_owned();
    let stored = cluster.http.get(Cluster::at(&cluster.url, &url)).header("host", servers::HOST);
    assert!(stored.send().await.unwrap().bytes().await.unwrap() == file, "the other server has the file");
    let other = cluster.sign_in("bob@example.com").await;
    cluster.start_server(0).await;
    cluster.post("/v1/auth/sign-out", &other, json!({})).await;
    let answer = cluster.send(&first, Method::GET, "/v1/profiles", &other, Value::Null).await.unwrap();
    assert_eq!(answer.status(), 401, "a session that ended on one server ended on both");
    cluster.verify().await;
    drop(cluster);
    database.remove().await;
}

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

/// Joins as an app user who consents, and returns the token.
async fn viewer(cluster: &Cluster, (token, org): (&str, &str)) -> String {
    let public = json!({ "organisation": { "privacy": "public" } });
    cluster.call(&cluster.url, Method::PATCH, &format!("/v1/organizations/{org}"), token, public).await;
    let link = cluster.post(&format!("/v1/organizations/{org}/joinUrl"), token, json!({})).await;
    let code =
        link["joinUrl"].as_str().unwrap().trim_end_matches('/').rsplit(['/', '=']).next().unwrap().to_owned();
    let viewer = cluster.sign_in("viewer@example.com").await;
    cluster.post(&format!("/v1/join/{code}"), &viewer, json!({ "consent": true })).await;
    viewer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn events_that_are_reported_to_two_servers_count_once() {
    const SECONDS: u64 = 10;
    let Some((_one, cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let who = (token.as_str(), org.as_str());
    let url = json!({ "title": "F", "url": "https://vimeo.com/1084537" });
    let new = json!({ "content": url, "orgId": org, "file": null, "notifyUsers": false });
    let video = cluster.post("/v1/content", &token, new).await["uid"].clone();
    let list = json!({ "playlist": { "title": "P", "items": [video], "privacy": "public" }, "orgId": org });
    let playlist = cluster.post("/v1/playlists", &token, list).await["uid"].clone();
    let viewer = viewer(&cluster, who).await;
    let (ambient, mut accepted) = (kernel::Ambient::system(), 0);
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
            accepted += 1;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let path = format!("/v1/organizations/{org}/dashboard");
    let stats = cluster.call(&cluster.direct[0], Method::GET, &path, &token, Value::Null).await;
    let stats = &stats["totalStats"];
    figure(
        "events, each sent three times to two servers",
        &format!(
            "{accepted} requests about {SECONDS} s: {} view, {} ms",
            stats["views"], stats["watchTimeMs"]
        ),
    );
    assert_eq!((&stats["views"], &stats["watchTimeMs"]), (&json!(1), &json!(SECONDS * 1000)));
    cluster.verify().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_rolling_restart_fails_no_request() {
    let Some((_one, mut cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let file = bytes(2 << 20);
    let item = cluster.upload((&token, &org), &file, "application/octet-stream").await;
    let load = Load::start(&cluster, &token, &org, (&item, &file)).await;
    let began = Instant::now();
    for number in 0..2 {
        tokio::time::sleep(Duration::from_secs(2)).await;
        cluster.servers[number].stop().await;
        cluster.start_server(number).await;
    }
    cluster.workers[0].stop().await;
    cluster.start_worker().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let took = began.elapsed();
    let done = load.stop().await;
    figure("rolling restart of both servers and the worker", &format!("{took:.1?}; {done}"));
    assert_eq!((done.failed.len(), done.wrong_bytes), (0, 0), "{done:?}");
    assert_eq!(done.missing(&cluster), 0);
    cluster.verify().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn each_email_arrives_once_while_workers_come_and_go() {
    const EMAILS: usize = 40;
    let Some((_one, mut cluster)) = cluster().await else { return };
    cluster.start_worker().await;
    let began = Instant::now();
    for n in 0..EMAILS {
        let body = json!({ "email": format!("p{n}@example.com"), "action": "signup" });
        cluster.call(&cluster.direct[n % 2], Method::POST, "/v1/auth/magic-links", "", body).await;
        if n == EMAILS / 2 {
            cluster.workers[0].signal(Signal::SIGTERM);
        }
    }
    let counts = |cluster: &Cluster| -> Vec<usize> {
        (0..EMAILS).map(|n| cluster.mail.codes(&format!("p{n}@example.com")).len()).collect()
    };
    while counts(&cluster).contains(&0) && began.elapsed() < parts::TIMEOUT {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let took = began.elapsed();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let counts = counts(&cluster);
    let more = counts.iter().filter(|count| **count > 1).count();
    let none = counts.iter().filter(|count| **count == 0).count();
    figure(
        "emails with two workers, one of which stops",
        &format!("{EMAILS} in {took:.1?}; {more} twice, {none} lost"),
    );
    assert_eq!((more, none), (0, 0));
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
}
