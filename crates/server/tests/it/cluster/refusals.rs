//! Processes that do not belong to the installation, and a worker without space: each says why.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nix::unistd::geteuid;
use reqwest::Method;
use serde_json::{Value, json};

use super::launch::Differs;
use super::servers::Cluster;
use super::{cluster, figure, parts, video};

/// A step of the schema that a later version of the program would have.
const LATER_STEP: &str = "m20991231_01_contract";

/// Checks that neither a server nor a worker starts, and what they say.
async fn refuses(cluster: &Cluster, line: &str, differs: Differs, says: &str) {
    let said = cluster.launch.with(differs).refused().await;
    for sentence in &said {
        assert!(sentence.contains(says), "{line}: {sentence}");
    }
    figure(line, &said[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_process_that_does_not_belong_to_the_installation_does_not_start_and_says_why() {
    let Some((_one, cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let bucket = Differs::setting("VITRINE_STORAGE_URL", "s3://media/another");
    refuses(&cluster, "another storage", bucket, "is not the storage of this database").await;
    let secret =
        Differs::setting("VITRINE_SECRET", &STANDARD.encode(kernel::Ambient::system().bytes::<32>()));
    let says = "VITRINE_SECRET is not the one it was encrypted with";
    refuses(&cluster, "another secret", secret, says).await;
    let later = format!("INSERT INTO schema_migration (name, applied_at) VALUES ('{LATER_STEP}', 0)");
    cluster.database().sql(&later);
    let says = format!("this version does not know the migration {LATER_STEP}");
    refuses(&cluster, "a program older than the schema", Differs::default(), &says).await;
    for base in &cluster.direct {
        let body = json!({ "playlist": { "title": "P" }, "orgId": org });
        cluster.call(base, Method::POST, "/v1/playlists", &token, body).await;
    }
    cluster.database().sql(&format!("DELETE FROM schema_migration WHERE name = '{LATER_STEP}'"));
    cluster.verify().await;
}

/// Waits until the log has a line, and checks meanwhile that the video is not said to have failed.
async fn until_logged(cluster: &Cluster, line: &str, (token, uid): (&str, &str)) -> Value {
    let began = Instant::now();
    loop {
        let item = cluster.item(token, uid).await;
        assert!(item["processing"] != "failed" && item["processingError"] == Value::Null, "{item}");
        if cluster.log().contains(line) {
            return item;
        }
        assert!(began.elapsed() < parts::TIMEOUT, "no line {line:?}: {}", cluster.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Extends the disk that a process has mounted.
fn extend(pid: u32, disk: &Path) {
    let mut command = Command::new("nsenter");
    let command = command.args(["--mount", "--target", &pid.to_string()]);
    let command = command.args(["mount", "-o", "remount,size=1g"]).arg(disk);
    assert!(command.status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_without_space_says_so_and_its_video_is_playable_when_there_is_some() {
    let Some((_one, mut cluster)) = cluster().await else { return };
    if !geteuid().is_root() {
        return figure("a worker's disk is full", "not run: only root can mount a small disk");
    }
    let (token, org) = cluster.owner().await;
    cluster.workers.remove(0).stop().await;
    let bytes = video(20);
    // The tools fill the disk that has room for the file, unless the reserve keeps the worker from starting them.
    for (reserve, says) in [("536870912", "the disk is nearly full"), ("0", "the disk is full")] {
        let disk = cluster.root().join(format!("disk-{reserve}"));
        std::fs::create_dir(&disk).unwrap();
        let uid = cluster.upload((&token, &org), &bytes, "video/mp4").await;
        let differs = Differs::work_disk(&disk, bytes.len() + (1 << 20));
        cluster.start_worker_as(differs.and("VITRINE_RESERVE_BYTES", reserve)).await;
        let line = format!("{says}: processing is postponed");
        let item = until_logged(&cluster, &line, (&token, &uid)).await;
        let waits = item["processing"].clone();
        tokio::task::block_in_place(|| extend(cluster.workers[0].id(), &disk));
        let later = "UPDATE job SET due_at = 0 WHERE kind = 'content_process_file' AND state = 'ready'";
        let extended = Instant::now();
        while cluster.item(&token, &uid).await["processing"] != "done" {
            tokio::task::block_in_place(|| cluster.database().sql(later));
            assert!(extended.elapsed() < 2 * parts::TIMEOUT, "{}", cluster.item(&token, &uid).await);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        figure(
            "a worker's disk is full",
            &format!(
                "it logs {line:?}, the video is {waits}, and playable {:.1?} after the disk has space",
                extended.elapsed()
            ),
        );
        cluster.workers.remove(0).stop().await;
    }
    cluster.start_worker().await;
    cluster.verify().await;
}
