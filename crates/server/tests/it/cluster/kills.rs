//! Servers and the worker that are killed in turn while people use them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinHandle;

use super::load::Load;
use super::servers::{Cluster, HOST};
use super::{bytes, cluster, figure, parts, video};

/// Kills, unless `VITRINE_TEST_KILLS` says how many: of the first server, the second one, the worker, and so on.
const KILLS: usize = 6;
/// Jobs that a worker runs at once.
const WORKER_LOOPS: usize = 2;
/// Pause between two requests for an email.
const PAUSE: Duration = Duration::from_millis(200);

/// Asks for emails to different people through the balancer until `stop`. Returns the addresses for which that was acknowledged.
fn ask_for_emails(cluster: &Cluster, stop: &Arc<AtomicBool>) -> JoinHandle<Vec<String>> {
    let (http, url, stop) = (cluster.http.clone(), cluster.url.clone(), Arc::clone(stop));
    tokio::spawn(async move {
        let mut acknowledged = Vec::new();
        for number in 0.. {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let email = format!("k{number}@example.com");
            let request = http.post(format!("{url}/v1/auth/magic-links")).header("host", HOST);
            let sent = request.json(&json!({ "email": email, "action": "signup" })).send().await;
            if sent.is_ok_and(|answer| answer.status().is_success()) {
                acknowledged.push(email);
            }
            tokio::time::sleep(PAUSE).await;
        }
        acknowledged
    })
}

/// Waits for the emails and the videos. Returns how many emails are missing, how many arrived twice, for how many two different ones
/// arrived, and how many videos failed.
async fn settle(cluster: &Cluster, token: &str, emails: &[String], videos: &[String]) -> [usize; 4] {
    let began = Instant::now();
    let missing = |cluster: &Cluster| emails.iter().filter(|email| cluster.mail.received(email) == 0).count();
    let mut failed = 0;
    for video in videos {
        loop {
            let item = cluster.item(token, video).await;
            match item["processing"].as_str().unwrap() {
                "done" => break,
                "failed" => {
                    println!("cluster: a video failed: {item}");
                    failed += 1;
                    break;
                }
                _ => assert!(began.elapsed() < 4 * parts::TIMEOUT, "a video stays unfinished: {item}"),
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
    while missing(cluster) > 0 && began.elapsed() < 4 * parts::TIMEOUT {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let twice = emails.iter().filter(|email| cluster.mail.received(email) > 1).count();
    let different = emails.iter().filter(|email| cluster.mail.different(email) > 1).count();
    [missing(cluster), twice, different, failed]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn people_go_on_when_each_server_and_the_worker_are_killed_in_turn() {
    let kills = std::env::var("VITRINE_TEST_KILLS").map_or(KILLS, |number| number.parse().unwrap());
    let Some((_one, mut cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let file = bytes(2 << 20);
    let item = cluster.upload((&token, &org), &file, "application/octet-stream").await;
    let (clip, mut videos) = (video(6), Vec::new());
    let stop = Arc::new(AtomicBool::new(false));
    let load = Load::start(&cluster, &token, &org, (&item, &file)).await;
    let asking = ask_for_emails(&cluster, &stop);
    for kill in 0..kills {
        if kill % 3 == 2 {
            videos.push(cluster.upload((&token, &org), &clip, "video/mp4").await);
        }
        // The worker is killed while it processes that.
        tokio::time::sleep(Duration::from_secs(if kill % 3 == 2 { 1 } else { 2 })).await;
        match kill % 3 {
            2 => cluster.workers[0].kill(),
            server => cluster.servers[server].kill(),
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        if kill % 3 == 2 {
            cluster.workers.clear();
            cluster.start_worker().await;
        } else {
            cluster.start_server(kill % 3).await;
        }
    }
    let done = load.stop().await;
    stop.store(true, Ordering::Relaxed);
    let emails = asking.await.unwrap();
    let missing = done.missing(&cluster);
    let [lost, twice, different, failed] = settle(&cluster, &token, &emails, &videos).await;
    figure(
        &format!("servers and the worker killed in turn, {kills} times"),
        &format!(
            "{done}, {missing} acknowledged ones missing; {} emails, {lost} lost, {twice} twice ({different} with another id); {} videos, {failed} failed",
            emails.len(),
            videos.len()
        ),
    );
    assert_eq!((missing, done.wrong_bytes), (0, 0), "{done:?}");
    assert_eq!((lost, different, failed), (0, 0, 0));
    // Those that a worker had handed over when it was killed, before that was stored.
    assert!(twice <= kills / 3 * WORKER_LOOPS, "{twice} emails arrived twice");
    // Only what was being answered by the one that died.
    assert!(done.failed.len() <= kills * 6, "{done:?}");
    cluster.verify().await;
}
