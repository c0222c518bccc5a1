//! A server that is cut off from the database, while a balancer asks each server whether it is ready.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::launch::Differs;
use super::link::Link;
use super::load::Load;
use super::parts::{self, asking_balancer};
use super::servers::Cluster;
use super::{bytes, cluster, figure};

/// Sends a write to the organisation to one of the servers.
async fn write(cluster: &Cluster, server: usize, (token, org): (&str, &str)) -> u16 {
    let body = json!({ "playlist": { "title": "P" }, "orgId": org });
    let sent = cluster.send(&cluster.direct[server], Method::POST, "/v1/playlists", token, body).await;
    sent.unwrap().status().as_u16()
}

/// Cuts the first server off while it holds the lock on an organisation. Returns when.
async fn cut_with_lock(cluster: &Cluster, link: &Link, who: (&str, &str)) -> Instant {
    // Other transactions end within a second.
    let held = "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted \
                AND state = 'idle in transaction' AND state_change < clock_timestamp() - interval '1 second'";
    for _ in 0..40 {
        let writing = futures::future::join_all((0..16).map(|_| write(cluster, 0, who)));
        tokio::pin!(writing);
        let _ = tokio::time::timeout(Duration::from_millis(40), &mut writing).await;
        link.cut();
        let cut = Instant::now();
        let waits = tokio::time::timeout(Duration::from_millis(1500), write(cluster, 1, who)).await.is_err();
        if waits && tokio::task::block_in_place(|| cluster.database().sql(held)).trim() != "0" {
            return cut;
        }
        link.open();
        writing.await;
        until_ready(cluster, true).await;
    }
    panic!("it never holds the lock");
}

/// Waits until the first server says that it is ready, or that it is not.
async fn until_ready(cluster: &Cluster, wanted: bool) -> Instant {
    let began = Instant::now();
    loop {
        let answer = cluster.send(&cluster.direct[0], Method::GET, "/readyz", "", Value::Null).await;
        if answer.unwrap().status().is_success() == wanted {
            return Instant::now();
        }
        assert!(began.elapsed() < parts::TIMEOUT, "ready stays {}", !wanted);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Writes to the organisation at the other server until that succeeds. Returns when, and how often it was asked to try again.
async fn until_written(cluster: &Cluster, who: (&str, &str)) -> (Instant, usize) {
    let began = Instant::now();
    for refused in 0.. {
        match write(cluster, 1, who).await {
            201 => return (Instant::now(), refused),
            status => assert_eq!(status, 503, "people are asked to try again"),
        }
        assert!(began.elapsed() < parts::TIMEOUT, "the lock stays");
    }
    unreachable!()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_is_cut_off_from_the_database_is_left_by_the_balancer_and_loses_its_locks() {
    let Some((_one, mut cluster)) = cluster().await else { return };
    let link = Link::to(cluster.database_port).await;
    cluster.servers[0].stop().await;
    let url = format!("postgres://vitrine@127.0.0.1:{}/postgres", link.port);
    cluster.start_server_as(0, Differs::setting("VITRINE_DATABASE_URL", &url)).await;
    let port = parts::free_port();
    let _balancer = asking_balancer(cluster.root(), port, cluster.ports);
    cluster.url = format!("http://127.0.0.1:{port}");
    let (token, org) = cluster.owner().await;
    let new = json!({ "organisation": { "name": "Held" } });
    let held = cluster.post("/v1/organizations", &token, new).await["uid"].as_str().unwrap().to_owned();
    let file = bytes(2 << 20);
    let item = cluster.upload((&token, &org), &file, "application/octet-stream").await;
    let (load, began) = (Load::start(&cluster, &token, &org, (&item, &file)).await, Instant::now());
    tokio::time::sleep(Duration::from_secs(2)).await;
    let cut = cut_with_lock(&cluster, &link, (&token, &held)).await;
    let ((written, refused), unready) =
        tokio::join!(until_written(&cluster, (&token, &held)), until_ready(&cluster, false));
    let (unlocked, unready) = (written - cut, unready - cut);
    link.open();
    let opened = Instant::now();
    let back = until_ready(&cluster, true).await - opened;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let done = load.stop().await;
    let missing = done.missing(&cluster);
    // Failures before the cut that counts belong to cuts that hit no lock.
    let failed = done.failed.iter().map(|(at, _)| (began + *at).saturating_duration_since(cut));
    let left = failed.max().unwrap_or_default();
    figure(
        "a server cut off from the database",
        &format!(
            "not ready after {unready:.1?}; the last request fails after {left:.1?}; the organisation that it had locked is \
             written again after {unlocked:.1?} ({refused} times 503 until then); ready {back:.1?} after the cut; {done}, \
             {missing} acknowledged ones missing"
        ),
    );
    assert_eq!((missing, done.wrong_bytes), (0, 0), "{done:?}");
    assert!(left <= Duration::from_secs(10) && unlocked <= Duration::from_secs(35), "{done:?}");
    cluster.verify().await;
}
