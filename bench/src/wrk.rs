//! The load generator wrk, on the core of the load.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::{BoxError, process};

/// Results of one run.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Run {
    /// Number of responses.
    pub requests: u64,
    /// Bytes of the responses.
    pub bytes: u64,
    /// Duration in microseconds.
    pub micros: u64,
    /// Number of error responses and broken connections.
    pub failed: u64,
    /// Median latency in microseconds.
    pub p50: u64,
    /// 99th percentile of the latency in microseconds.
    pub p99: u64,
    /// Processor time of the server per response, in microseconds.
    #[serde(skip)]
    pub cpu: f64,
    /// Share of one core that the server used.
    #[serde(skip)]
    pub busy: f64,
}

impl Run {
    /// Returns responses per second.
    pub fn rate(&self) -> f64 {
        self.requests as f64 * 1e6 / self.micros as f64
    }

    /// Returns bytes per second.
    pub fn bytes_rate(&self) -> f64 {
        self.bytes as f64 * 1e6 / self.micros as f64
    }
}

/// A load.
pub struct Wrk<'a> {
    /// Path of the Lua script.
    pub script: PathBuf,
    /// Argument of the script.
    pub argument: String,
    /// Number of connections.
    pub connections: u32,
    /// Header lines.
    pub headers: &'a [String],
}

/// Common end of every script, which prints the results.
const REPORT: &str = include_str!("../wrk/report.lua");

/// Script that requests one URL.
pub const ADDRESS: (&str, &str) = ("address.lua", "");
/// Script that requests ranges.
pub const RANGES: (&str, &str) = ("ranges.lua", include_str!("../wrk/ranges.lua"));
/// Script that requests a list of paths.
pub const PATHS: (&str, &str) = ("paths.lua", include_str!("../wrk/paths.lua"));

/// Writes a script to a folder for wrk.
pub fn script(folder: &Path, (name, asks): (&str, &str)) -> Result<PathBuf, BoxError> {
    let path = folder.join(name);
    std::fs::write(&path, [asks, REPORT].concat())?;
    Ok(path)
}

impl Wrk<'_> {
    /// Runs against `url` and measures what the process `pid` used. Fails if any request fails.
    pub fn run(&self, url: &str, time: Duration, pid: u32) -> Result<Run, BoxError> {
        let mut command = Command::new("wrk");
        command.args(["-t1", "--timeout", "10s", "-c", &self.connections.to_string()]);
        command.args(["-d", &format!("{}s", time.as_secs()), "-s"]).arg(&self.script);
        for header in self.headers {
            command.args(["-H", header]);
        }
        command.args([url, "--", &self.argument]);
        let before = process::cpu(pid)?;
        let output = command.output()?;
        let spent = process::cpu(pid)?.saturating_sub(before);
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find_map(|line| line.strip_prefix("RESULT "));
        let line =
            line.ok_or_else(|| format!("wrk printed: {text}{}", String::from_utf8_lossy(&output.stderr)))?;
        let mut run: Run = serde_json::from_str(line)?;
        if run.failed > 0 || run.requests == 0 {
            return Err(format!("{url}: {} of {} requests failed", run.failed, run.requests).into());
        }
        run.cpu = spent.as_secs_f64() * 1e6 / run.requests as f64;
        run.busy = spent.as_secs_f64() * 1e6 / run.micros as f64;
        Ok(run)
    }
}

/// Runs two loads alternately, so that other activity on the machine affects both: a short warm-up of each,
/// then `rounds` of each.
pub fn in_turn(
    rounds: usize,
    time: Duration,
    mut one: impl FnMut(Duration) -> Result<Run, BoxError>,
    mut other: impl FnMut(Duration) -> Result<Run, BoxError>,
) -> Result<(Vec<Run>, Vec<Run>), BoxError> {
    let warm = Duration::from_secs(1);
    one(warm)?;
    other(warm)?;
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ones.push(one(time)?);
        others.push(other(time)?);
    }
    Ok((ones, others))
}
