//! (c) `PUT` of 1 GiB to an ingest address against `md5sum` of the same file, and the server's memory.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::Failure;
use crate::api::{path_of, text};
use crate::house::Server;
use crate::process::{self, Memory, spread};
use crate::seed::{Town, md5_of};
use crate::table::{Row, Table};

const BYTES: u64 = 1024 * 1024 * 1024;
const ROUNDS: usize = 3;
const GOAL: f64 = 0.5;
/// Megabytes of 10^6 bytes in the file.
const MEGABYTES: f64 = BYTES as f64 / 1e6;

/// The file that is sent.
pub struct BigFile {
    /// Where it lies.
    pub path: PathBuf,
    /// Its bytes.
    pub len: u64,
    md5: String,
}

impl BigFile {
    /// 1 GiB that no disk can make smaller.
    pub fn make(folder: &Path) -> Result<Self, Failure> {
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

/// Sends the file several times, with md5sum in between. Returns the last content.
pub async fn measure(
    table: &mut Table,
    server: &Server,
    town: &Town,
    big: &BigFile,
    folder: &Path,
) -> Result<String, Failure> {
    process::forget_peak(server.pid())?;
    let before = process::memory(server.pid())?;
    let (mut puts, mut sums, mut disks, mut spent) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut last = String::new();
    for _ in 0..ROUNDS {
        sums.push(process::timed(Command::new("taskset").args(["-c", "0", "md5sum"]).arg(&big.path))?);
        let cpu = process::cpu(server.pid())?;
        let (uid, took) = put_once(server, town, big).await?;
        spent.push(process::cpu(server.pid())?.saturating_sub(cpu).as_secs_f64());
        puts.push(took);
        last = uid;
        disks.push(disk_alone(folder)?);
    }
    let after = process::memory(server.pid())?;
    let middle = |times: &[Duration]| spread(times.iter().map(Duration::as_secs_f64)).median;
    let speed = |times: &[Duration]| spread(times.iter().map(|time| MEGABYTES / time.as_secs_f64()));
    table.add(Row {
        what: format!("(c) PUT of 1 GiB, or md5sum; {}", server.cores.words()),
        unit: "MB/s",
        ours: speed(&puts),
        theirs: speed(&sums),
        ratio: middle(&sums) / middle(&puts),
        by_cpu: None,
        goal: GOAL,
        notes: vec![
            format!(
                "{:.2} s against {:.2} s; {:.2} s of processor; the disk alone, written and synced: {:.2} s",
                middle(&puts),
                middle(&sums),
                spread(spent).median,
                middle(&disks),
            ),
            memory_note(before, after),
        ],
    });
    Ok(last)
}

fn memory_note(before: Memory, after: Memory) -> String {
    let mib = |bytes: u64| bytes as f64 / 1024.0 / 1024.0;
    format!(
        "memory of the server: {:.0} MiB before, {:.0} MiB at the most, {:.0} MiB after; growth {:.0} MiB (goal: under 64)",
        mib(before.now),
        mib(after.peak),
        mib(after.now),
        mib(after.peak.saturating_sub(before.now)),
    )
}

/// Announces a content and sends the file; the time is that of the PUT, from the first byte to the answer.
pub async fn put_once(server: &Server, town: &Town, big: &BigFile) -> Result<(String, Duration), Failure> {
    let mime = "application/octet-stream";
    let file = json!({ "name": "big.bin", "size": big.len, "type": mime, "checksum": big.md5 });
    let wish = json!({ "content": { "title": "A large file" }, "orgId": town.orgs[0].uid, "file": file });
    let upload = town.owner.post("/v1/content", &wish).await?;
    let address = text(&upload["ingest"], "url")?;
    let path = path_of(&address)?;
    let mut file = File::open(&big.path)?;
    let mut stream = TcpStream::connect(server.address)?;
    let head = format!(
        "PUT {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: {mime}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        server.address, big.len
    );
    let began = Instant::now();
    stream.write_all(head.as_bytes())?;
    // The kernel hands the file to the socket itself (sendfile).
    std::io::copy(&mut file, &mut stream)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let took = began.elapsed();
    // It is closed by the other side already.
    let _ = stream.shutdown(Shutdown::Both);
    if !answer.starts_with("HTTP/1.1 200") {
        return Err(format!("the PUT was answered: {answer}").into());
    }
    Ok((text(&upload, "uid")?, took))
}

/// What the disk needs for as many bytes, written and synced by one plain loop.
fn disk_alone(folder: &Path) -> Result<Duration, Failure> {
    let path = folder.join("disk.bin");
    let block = vec![0x5a_u8; 1024 * 1024];
    let began = Instant::now();
    let mut file = File::create(&path)?;
    for _ in 0..BYTES / block.len() as u64 {
        file.write_all(&block)?;
    }
    file.sync_all()?;
    let took = began.elapsed();
    std::fs::remove_file(path)?;
    Ok(took)
}
