//! (h) 1 GiB by tus against the `PUT` of (c): in one chunk, as the portal sends it, and in many.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::BoxError;
use crate::api::{path_of, text};
use crate::ingest::{self, BigFile, MEGABYTES, send};
use crate::process::{self, spread};
use crate::seed::SeedData;
use crate::server_process::Server;
use crate::table::{Row, Table};

const ROUNDS: usize = 3;
/// Size of a chunk when there are many.
const CHUNK_BYTES: u64 = 64 * 1024 * 1024;

/// Uploads the file each way in turn.
pub async fn measure(
    table: &mut Table,
    server: &Server,
    seed: &SeedData,
    big: &BigFile,
    folder: &Path,
) -> Result<(), BoxError> {
    let data = folder.join(&server.name);
    process::reset_peak(server.pid())?;
    let before = process::memory(server.pid())?;
    let (mut puts, mut whole, mut chunked) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        puts.push(ingest::put_once(server, seed, big).await?.1);
        ingest::remove_stored(&data, big)?;
        for (chunk, times) in [(big.len, &mut whole), (CHUNK_BYTES, &mut chunked)] {
            times.push(tus_once(server, seed, big, chunk).await?);
            ingest::remove_stored(&data, big)?;
        }
    }
    let after = process::memory(server.pid())?;
    let speed = |times: &[Duration]| spread(times.iter().map(|time| MEGABYTES / time.as_secs_f64()));
    for (what, times) in [("one chunk", &whole), ("chunks of 64 MiB", &chunked)] {
        table.add(Row {
            what: format!("(h) 1 GiB by tus in {what}, or PUT"),
            unit: "MB/s",
            ours: speed(times),
            theirs: speed(&puts),
            ratio: speed(times).median / speed(&puts).median,
            by_cpu: None,
            goal: f64::NAN,
            notes: vec![format!("{}; {}", server.cores.describe(), ingest::memory_note(before, after))],
        });
    }
    Ok(())
}

/// Uploads the file in chunks; returns the time from the first byte of the chunks to the last response.
async fn tus_once(server: &Server, seed: &SeedData, big: &BigFile, chunk: u64) -> Result<Duration, BoxError> {
    let upload = ingest::announce(seed, big).await?;
    let upload_url = begin(server, &text(&upload["ingest"], "url")?, big.len).await?;
    let path = path_of(&upload_url)?;
    let mut file = File::open(&big.path)?;
    let started = Instant::now();
    let mut at = 0;
    while at < big.len {
        let bytes = chunk.min(big.len - at);
        file.seek(SeekFrom::Start(at))?;
        let head = format!(
            "PATCH {path} HTTP/1.1\r\nhost: {}\r\ntus-resumable: 1.0.0\r\nupload-offset: {at}\r\n\
             content-type: application/offset+octet-stream\r\ncontent-length: {bytes}\r\nconnection: close\r\n\r\n",
            server.address
        );
        let response = send(server, &head, &mut (&mut file).take(bytes))?;
        if !response.starts_with("HTTP/1.1 204") {
            return Err(format!("a chunk failed: {response}").into());
        }
        at += bytes;
    }
    let took = started.elapsed();
    let state = seed.owner.get(&format!("/v1/uploads/{}", text(&upload, "uid")?)).await?;
    if state["status"] == "available" { Ok(took) } else { Err(format!("the upload is {state}").into()) }
}

/// Creates an upload and returns its URL.
async fn begin(server: &Server, ingest: &str, len: u64) -> Result<String, BoxError> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let response = client
        .post(server.at("/v1/uploads/tus"))
        .header("tus-resumable", "1.0.0")
        .header("upload-length", len)
        .header("upload-metadata", format!("ingest {}", STANDARD.encode(ingest)))
        .send()
        .await?;
    let upload_url =
        response.headers().get("location").and_then(|value| value.to_str().ok()).map(str::to_owned);
    upload_url.ok_or_else(|| format!("cannot create an upload: {}", response.status()).into())
}
