//! (c) `PUT` of 1 GiB to an ingest address against `md5sum` and a synced copy of the same file, and the
//! server's memory.

use std::fs::File;
use std::io::{Read, Write as _};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::BoxError;
use crate::api::{path_of, text};
use crate::process::{self, Memory, spread};
use crate::seed::{SeedData, md5_of};
use crate::server_process::Server;
use crate::table::{Row, Table};

const BYTES: u64 = 1024 * 1024 * 1024;
const ROUNDS: usize = 3;
const GOAL: f64 = 0.5;
const MIME: &str = "application/octet-stream";
/// Size of the file in megabytes of 10^6 bytes.
pub const MEGABYTES: f64 = BYTES as f64 / 1e6;

/// The file to upload.
pub struct BigFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Size in bytes.
    pub len: u64,
    md5: String,
}

impl BigFile {
    /// Creates 1 GiB of incompressible data.
    pub fn make(folder: &Path) -> Result<Self, BoxError> {
        let path = folder.join("big.bin");
        let mut file = File::create(&path)?;
        let mut block = vec![0_u8; 1024 * 1024];
        let mut word = 0x2545_f491_4f6c_dd1d_u64;
        for _ in 0..BYTES / block.len() as u64 {
            for eight in block.chunks_exact_mut(8) {
                word ^= word << 13;
                word ^= word >> 7;
                word ^= word << 17;
                eight.copy_from_slice(&word.to_le_bytes());
            }
            file.write_all(&block)?;
        }
        file.sync_all()?;
        let md5 = md5_of(&path)?;
        Ok(Self { path, len: BYTES, md5 })
    }
}

/// Uploads the file several times, with md5sum and a copy in between. Returns the last content item.
pub async fn measure(
    table: &mut Table,
    server: &Server,
    seed: &SeedData,
    big: &BigFile,
    folder: &Path,
) -> Result<String, BoxError> {
    process::reset_peak(server.pid())?;
    let before = process::memory(server.pid())?;
    let (mut puts, mut sums, mut copies, mut spent) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut last = String::new();
    for round in 1..=ROUNDS {
        sums.push(process::timed(Command::new("taskset").args(["-c", "0", "md5sum"]).arg(&big.path))?);
        copies.push(time_copy(&big.path, folder)?);
        let cpu = process::cpu(server.pid())?;
        let (uid, took) = put_once(server, seed, big).await?;
        spent.push(process::cpu(server.pid())?.saturating_sub(cpu).as_secs_f64());
        puts.push(took);
        last = uid;
        if round < ROUNDS {
            remove_stored(&folder.join(&server.name), big)?;
        }
    }
    let after = process::memory(server.pid())?;
    let median = |times: &[Duration]| spread(times.iter().map(Duration::as_secs_f64)).median;
    let speed = |times: &[Duration]| spread(times.iter().map(|time| MEGABYTES / time.as_secs_f64()));
    let both: Vec<Duration> = sums.iter().zip(&copies).map(|(sum, copy)| *sum + *copy).collect();
    table.add(Row {
        what: format!("(c) PUT of 1 GiB, or md5sum + copy; {}", server.cores.describe()),
        unit: "MB/s",
        ours: speed(&puts),
        theirs: speed(&both),
        ratio: median(&both) / median(&puts),
        by_cpu: None,
        goal: GOAL,
        notes: vec![
            format!(
                "{:.2} s, {:.2} s of processor, against md5sum {:.2} s and a synced copy {:.2} s; {:.3} of md5sum alone",
                median(&puts),
                spread(spent).median,
                median(&sums),
                median(&copies),
                median(&sums) / median(&puts),
            ),
            memory_note(before, after),
        ],
    });
    Ok(last)
}

/// Describes the server's memory use.
pub fn memory_note(before: Memory, after: Memory) -> String {
    let mib = |bytes: u64| bytes as f64 / 1024.0 / 1024.0;
    format!(
        "memory of the server: {:.0} MiB before, {:.0} MiB at most, {:.0} MiB after; growth {:.0} MiB (goal: under 64)",
        mib(before.now),
        mib(after.peak),
        mib(after.now),
        mib(after.peak.saturating_sub(before.now)),
    )
}

/// Creates a content item and uploads the file; returns the time of the PUT, from the first byte to the
/// response.
pub async fn put_once(
    server: &Server,
    seed: &SeedData,
    big: &BigFile,
) -> Result<(String, Duration), BoxError> {
    let upload = announce(seed, big).await?;
    let address = text(&upload["ingest"], "url")?;
    let path = path_of(&address)?;
    let head = format!(
        "PUT {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: {MIME}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        server.address, big.len
    );
    let started = Instant::now();
    let response = send(server, &head, &mut File::open(&big.path)?)?;
    let took = started.elapsed();
    if !response.starts_with("HTTP/1.1 200") {
        return Err(format!("the PUT failed: {response}").into());
    }
    Ok((text(&upload, "uid")?, took))
}

/// Creates a content item for the file.
pub async fn announce(seed: &SeedData, big: &BigFile) -> Result<Value, BoxError> {
    let file = json!({ "name": "big.bin", "size": big.len, "type": MIME, "checksum": big.md5 });
    let request = json!({ "content": { "title": "A large file" }, "orgId": seed.orgs[0].uid, "file": file });
    seed.owner.post("/v1/content", &request).await
}

/// Sends a header and a body on a new connection; returns the response.
pub fn send<R: Read>(server: &Server, head: &str, body: &mut R) -> Result<String, BoxError> {
    let mut stream = TcpStream::connect(server.address)?;
    stream.write_all(head.as_bytes())?;
    // std copies from a file to a socket in the kernel (sendfile).
    std::io::copy(body, &mut stream)?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    // The other side may have closed it already.
    let _ = stream.shutdown(Shutdown::Both);
    Ok(response)
}

/// Deletes the stored file behind the server's back, because the disk would fill up.
pub fn remove_stored(data: &Path, big: &BigFile) -> Result<(), BoxError> {
    Ok(std::fs::remove_file(process::find_file(data, |_, len| len == big.len)?)?)
}

/// Measures how long a plain tool takes to copy the file and sync the copy to disk.
fn time_copy(path: &Path, folder: &Path) -> Result<Duration, BoxError> {
    let copy = folder.join("copy.bin");
    let mut command = Command::new("taskset");
    command.args(["-c", "0", "dd", "bs=1M", "conv=fsync", "status=none"]);
    command.arg(format!("if={}", path.display())).arg(format!("of={}", copy.display()));
    let took = process::timed(&mut command)?;
    std::fs::remove_file(copy)?;
    Ok(took)
}
