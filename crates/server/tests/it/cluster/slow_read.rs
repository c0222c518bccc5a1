//! A large file that is read slowly.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio_util::io::ReaderStream;

use super::servers::{Cluster, HOST};
use super::{cluster, figure};

/// Returns a number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

/// Writes a file whose bytes repeat nowhere, and returns its SHA-256.
fn write_file(path: &Path, mib: u64) -> [u8; 32] {
    let (mut file, mut digest, mut state) = (File::create(path).unwrap(), Sha256::new(), 1_u64);
    for _ in 0..mib {
        let mut chunk = Vec::with_capacity(1 << 20);
        while chunk.len() < 1 << 20 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            chunk.extend(state.to_le_bytes());
        }
        digest.update(&chunk);
        file.write_all(&chunk).unwrap();
    }
    digest.finalize().into()
}

/// Uploads a file without having it in memory. Returns its item.
async fn upload(
    cluster: &Cluster,
    http: &reqwest::Client,
    (token, org): (&str, &str),
    path: &Path,
) -> String {
    let md5 = Command::new("openssl").args(["md5", "-binary"]).arg(path).output().unwrap();
    let size = std::fs::metadata(path).unwrap().len();
    let kind = "application/octet-stream";
    let file =
        json!({ "name": "a.bin", "size": size, "type": kind, "checksum": STANDARD.encode(md5.stdout) });
    let new = json!({ "content": { "title": "F" }, "orgId": org, "file": file, "notifyUsers": false });
    let made = cluster.post("/v1/content", token, new).await;
    let body = ReaderStream::with_capacity(tokio::fs::File::open(path).await.unwrap(), 1 << 20);
    let put = http.put(Cluster::at(&cluster.direct[0], made["ingest"]["url"].as_str().unwrap()));
    let put = put.header("host", HOST).header("content-type", kind).header("content-length", size);
    let answer = put.body(reqwest::Body::wrap_stream(body)).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    made["uid"].as_str().unwrap().to_owned()
}

/// `VITRINE_TEST_READ_MIB=2000 VITRINE_TEST_READ_KIB_PER_SECOND=1000` reads for more than half an hour.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_large_file_that_is_read_slowly_arrives_whole() {
    let (mib, rate) =
        (number("VITRINE_TEST_READ_MIB", 64), number("VITRINE_TEST_READ_KIB_PER_SECOND", 4096) * 1024);
    let Some((_one, cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let path = cluster.root().join("large");
    let sent = tokio::task::block_in_place(|| write_file(&path, mib));
    // Without the time limit of the others.
    let http = reqwest::Client::new();
    let uid = upload(&cluster, &http, (&token, &org), &path).await;
    std::fs::remove_file(&path).unwrap();
    let url = cluster.item(&token, &uid).await["url"].as_str().unwrap().to_owned();
    let request = http.get(Cluster::at(&cluster.direct[1], &url)).header("host", HOST);
    let (mut answer, mut digest, mut read, began) =
        (request.send().await.unwrap(), Sha256::new(), 0_u64, Instant::now());
    assert_eq!(answer.status(), 200);
    while let Some(chunk) =
        answer.chunk().await.unwrap_or_else(|error| panic!("cut after {read} bytes: {error}"))
    {
        digest.update(&chunk);
        read += chunk.len() as u64;
        let due = Duration::from_secs_f64(read as f64 / rate as f64);
        tokio::time::sleep(due.saturating_sub(began.elapsed())).await;
    }
    let (received, took): ([u8; 32], _) = (digest.finalize().into(), began.elapsed());
    figure(
        "a file read slowly through S3",
        &format!(
            "{read} bytes in {took:.0?}, SHA-256 is {}",
            if received == sent { "equal" } else { "different" }
        ),
    );
    assert!(received == sent && read == mib << 20);
    assert!(took >= Duration::from_secs_f64(read as f64 / rate as f64 * 0.9), "it was read too fast");
    cluster.verify().await;
}
