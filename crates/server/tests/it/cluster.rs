//! Two servers and a worker on PostgreSQL with a synchronous standby behind `HAProxy`, an S3 server and nginx, while parts of them
//! fail. Each test prints what it measured. They need the packages of `tools/deps cluster` and minutes, so they run with
//! `make cluster` only (`VITRINE_TEST_CLUSTER=1`).

mod agreement;
mod clocks;
mod emails;
mod failures;
mod kills;
mod launch;
mod link;
mod load;
mod network;
mod parts;
mod refusals;
mod servers;
mod slow_read;

use std::process::Command;
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

/// Returns a video of some seconds, which takes about as long to process.
fn video(seconds: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("video.mp4");
    let made = Command::new("ffmpeg")
        .args("-nostdin -v error -f lavfi -i testsrc=size=1280x720:rate=30 -f lavfi -i sine -t".split(' '))
        .arg(seconds.to_string())
        .args("-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac".split(' '))
        .arg(&path)
        .status()
        .unwrap();
    assert!(made.success());
    std::fs::read(&path).unwrap()
}

/// How many emails did not arrive once.
#[derive(Debug, PartialEq, Eq)]
struct Arrivals {
    lost: usize,
    twice: usize,
}

/// Asks both servers in turn for emails to different people, calls `halfway`, and waits until they have arrived.
async fn arrivals(cluster: &Cluster, prefix: &str, emails: usize, halfway: impl FnOnce()) -> Arrivals {
    let (began, mut halfway) = (Instant::now(), Some(halfway));
    let people: Vec<String> = (0..emails).map(|n| format!("{prefix}{n}@example.com")).collect();
    for (n, person) in people.iter().enumerate() {
        let body = json!({ "email": person, "action": "signup" });
        cluster.call(&cluster.direct[n % 2], Method::POST, "/v1/auth/magic-links", "", body).await;
        if n == emails / 2
            && let Some(halfway) = halfway.take()
        {
            halfway();
        }
    }
    let arrived =
        |wanted: usize| people.iter().filter(|person| cluster.mail.received(person) == wanted).count();
    while arrived(0) > 0 && began.elapsed() < parts::TIMEOUT {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let lost = arrived(0);
    Arrivals { lost, twice: emails - lost - arrived(1) }
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
    let stopping = cluster.workers[0].id();
    let began = Instant::now();
    let arrivals = arrivals(&cluster, "p", EMAILS, || launch::signal_to(stopping, Signal::SIGTERM)).await;
    let Arrivals { lost, twice } = arrivals;
    figure(
        "emails with two workers, one of which stops",
        &format!("{EMAILS} in {:.1?}; {twice} twice, {lost} lost", began.elapsed()),
    );
    assert_eq!((twice, lost), (0, 0));
    cluster.verify().await;
}
