//! Servers, workers, the database and the storage that die while they are used.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};

use super::load::Load;
use super::servers::{Cluster, HOST};
use super::{bytes, cluster, figure, parts, video};

/// Returns the offset of a resumable upload, asked at an address.
async fn offset(cluster: &Cluster, url: &str) -> usize {
    let head = cluster.http.head(url).header("host", HOST).header("tus-resumable", "1.0.0");
    let answer = head.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.headers()["upload-offset"].to_str().unwrap().parse().unwrap()
}

/// Sends the bytes of a resumable upload from an offset, slowly at the end if the answer must not arrive.
fn patch(cluster: &Cluster, url: &str, from: usize, bytes: Vec<u8>) -> reqwest::RequestBuilder {
    let request = cluster.http.patch(url).header("host", HOST).header("tus-resumable", "1.0.0");
    let request = request.header("content-type", "application/offset+octet-stream");
    request.header("upload-offset", from).header("content-length", bytes.len()).body(bytes)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_upload_goes_on_at_the_other_server_when_one_is_killed() {
    let Some((_one, mut cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let file = bytes(40 << 20);
    let kind = "application/octet-stream";
    let (uid, ingest) = cluster.announce((&token, &org), &file, kind).await;
    let begin = cluster.http.post(format!("{}/v1/uploads/tus", cluster.direct[0])).header("host", HOST);
    let begin = begin.header("tus-resumable", "1.0.0").header("upload-length", file.len());
    let begun =
        begin.header("upload-metadata", format!("ingest {}", STANDARD.encode(ingest))).send().await.unwrap();
    let location = begun.headers()["location"].to_str().unwrap().to_owned();
    // 25 MiB arrive at the first server, and the rest never does.
    let sent = 25 << 20;
    let first = file[..sent].to_vec();
    let body = async_stream(first);
    let url = Cluster::at(&cluster.direct[0], &location);
    let request = cluster.http.patch(&url).header("host", HOST).header("tus-resumable", "1.0.0");
    let request = request.header("content-type", "application/offset+octet-stream");
    let request = request.header("upload-offset", 0).header("content-length", file.len()).body(body);
    let sending = tokio::spawn(request.send());
    tokio::time::sleep(Duration::from_secs(4)).await;
    cluster.servers[0].kill();
    let killed = Instant::now();
    assert!(sending.await.unwrap().is_err());
    let url = Cluster::at(&cluster.url, &location);
    let at = offset(&cluster, &url).await;
    assert!(at <= sent);
    let answered = killed.elapsed();
    let rest = patch(&cluster, &url, at, file[at..].to_vec()).send().await.unwrap();
    assert_eq!(rest.status(), 204);
    figure(
        "upload of 40 MiB, its server killed after 25 MiB",
        &format!(
            "the other one continues at {at} bytes after {answered:.1?}: {} bytes sent again",
            sent - at
        ),
    );
    let item = cluster.item(&token, &uid).await;
    let stored =
        cluster.http.get(Cluster::at(&cluster.url, item["url"].as_str().unwrap())).header("host", HOST);
    assert!(stored.send().await.unwrap().bytes().await.unwrap() == file, "the file is whole");
    cluster.start_server(0).await;
    cluster.verify().await;
}

/// Returns a body that sends these bytes and then nothing more, without an end.
fn async_stream(bytes: Vec<u8>) -> reqwest::Body {
    use futures::StreamExt as _;
    let chunks: Vec<_> =
        bytes.chunks(64 * 1024).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect();
    reqwest::Body::wrap_stream(futures::stream::iter(chunks).chain(futures::stream::pending()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn another_worker_takes_over_the_video_of_one_that_is_killed() {
    let Some((_one, mut cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let uid = cluster.upload((&token, &org), &video(40), "video/mp4").await;
    let until = async |cluster: &Cluster, wanted: &str| {
        let began = Instant::now();
        while cluster.item(&token, &uid).await["processing"] != wanted {
            assert!(began.elapsed() < 3 * parts::TIMEOUT, "{}", cluster.item(&token, &uid).await);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    until(&cluster, "running").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    cluster.workers[0].kill();
    let killed = Instant::now();
    cluster.start_worker().await;
    let owner = cluster.database().sql("SELECT attempt FROM job WHERE kind = 'content_process_file'");
    let mut taken = killed.elapsed();
    while cluster.database().sql("SELECT attempt FROM job WHERE kind = 'content_process_file'") == owner {
        assert!(killed.elapsed() < parts::TIMEOUT, "no worker takes it over");
        tokio::time::sleep(Duration::from_millis(100)).await;
        taken = killed.elapsed();
    }
    until(&cluster, "done").await;
    figure(
        "worker killed while it processes a video",
        &format!(
            "another one begins it anew after {taken:.1?}, and it is ready after {:.1?}",
            killed.elapsed()
        ),
    );
    cluster.verify().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_database_that_restarts_and_one_that_fails_over_lose_nothing() {
    let Some((_one, mut cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let file = bytes(2 << 20);
    let item = cluster.upload((&token, &org), &file, "application/octet-stream").await;
    for is_failover in [false, true] {
        let load = Load::start(&cluster, &token, &org, (&item, &file)).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        let began = Instant::now();
        tokio::task::block_in_place(|| {
            if is_failover {
                cluster.primary().kill();
                cluster.standby().promote();
            } else {
                cluster.primary().restart();
            }
        });
        let promoted = began.elapsed();
        cluster.has_failed_over = is_failover;
        tokio::time::sleep(Duration::from_secs(15)).await;
        let done = load.stop().await;
        let missing = done.missing(&cluster);
        let line = if is_failover { "primary killed, standby promoted" } else { "primary restarted" };
        let outage = done.outage();
        figure(
            line,
            &format!(
                "{promoted:.1?} until it serves again; failures during {outage:.1?}; {done}, {missing} acknowledged ones missing"
            ),
        );
        assert_eq!((missing, done.wrong_bytes), (0, 0), "{done:?}");
        assert!(outage < Duration::from_secs(15), "{done:?}");
    }
    cluster.verify().await;
}

/// Freezes the first server in the middle of a transaction: with a lock on the organisation, its connection stays open.
async fn freeze(cluster: &Cluster, (token, org): (&str, &str)) {
    let in_transaction = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'";
    for _ in 0..200 {
        let body = json!({ "playlist": { "title": "P" }, "orgId": org });
        let writes = (0..8)
            .map(|_| cluster.send(&cluster.direct[0], Method::POST, "/v1/playlists", token, body.clone()));
        let writing = futures::future::join_all(writes);
        tokio::pin!(writing);
        let _ = tokio::time::timeout(Duration::from_millis(15), &mut writing).await;
        cluster.servers[0].signal(Signal::SIGSTOP);
        if tokio::task::block_in_place(|| cluster.primary().sql(in_transaction)).trim() != "0" {
            return;
        }
        cluster.servers[0].signal(Signal::SIGCONT);
        writing.await;
    }
    panic!("it is never in a transaction");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_hangs_in_a_transaction_keeps_one_organisation_waiting_for_half_a_minute() {
    let Some((_one, cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let new = json!({ "organisation": { "name": "Other" } });
    let other = cluster.post("/v1/organizations", &token, new).await["uid"].as_str().unwrap().to_owned();
    freeze(&cluster, (&token, &org)).await;
    let frozen = Instant::now();
    let write = async |org: &str| {
        let body = json!({ "playlist": { "title": "P" }, "orgId": org });
        let sent = cluster.send(&cluster.direct[1], Method::POST, "/v1/playlists", &token, body).await;
        sent.unwrap().status().as_u16()
    };
    let (mut others, mut statuses) = (Vec::new(), Vec::new());
    let back = loop {
        let (held, ()) = tokio::join!(write(&org), async {
            let began = Instant::now();
            assert_eq!(write(&other).await, 201);
            others.push(began.elapsed());
        });
        statuses.push(held);
        if held == 201 {
            break frozen.elapsed();
        }
        assert_eq!(held, 503, "people are asked to try again");
        assert!(frozen.elapsed() < parts::TIMEOUT, "the lock stays");
    };
    others.sort();
    figure(
        "server frozen while it holds the lock of an organisation",
        &format!(
            "that organisation is written again after {back:.1?} ({} times 503 until then); others: slowest of {} writes {:.1?}",
            statuses.len() - 1,
            others.len(),
            others.last().unwrap()
        ),
    );
    assert!(back < Duration::from_secs(40) && *others.last().unwrap() < Duration::from_secs(1));
    cluster.servers[0].signal(Signal::SIGCONT);
    cluster.verify().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn without_the_storage_everything_but_files_works() {
    let Some((_one, mut cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let file = bytes(1 << 20);
    let (uid, url) = cluster.announce((&token, &org), &file, "application/octet-stream").await;
    let put = async |cluster: &Cluster| {
        let put = cluster.http.put(Cluster::at(&cluster.url, &url)).header("host", HOST);
        put.header("content-type", "application/octet-stream").body(file.clone()).send().await.unwrap()
    };
    drop(cluster.storage.take());
    let mut answered = 0;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(8) {
        for (method, path, body) in [
            (Method::GET, "/v1/profiles".to_owned(), Value::Null),
            (Method::GET, format!("/v1/content?orgId={org}"), Value::Null),
            (Method::POST, "/v1/playlists".to_owned(), json!({ "playlist": { "title": "P" }, "orgId": org })),
            (Method::GET, "/readyz".to_owned(), Value::Null),
        ] {
            cluster.call(&cluster.url, method, &path, &token, body).await;
            answered += 1;
        }
    }
    let refused = put(&cluster).await;
    let (status, retry) = (refused.status(), refused.headers().contains_key("retry-after"));
    figure(
        "S3 server away",
        &format!(
            "{answered} requests without files answered, 0 failed; an upload is answered {status}, Retry-After: {retry}"
        ),
    );
    assert_eq!((status.as_u16(), retry), (503, true));
    cluster.start_storage();
    let back = Instant::now();
    while put(&cluster).await.status() != 200 {
        assert!(back.elapsed() < parts::TIMEOUT, "uploads stay refused");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    figure("S3 server back", &format!("the same upload is stored after {:.1?}", back.elapsed()));
    assert_ne!(cluster.item(&token, &uid).await["url"], "");
    cluster.verify().await;
}
