//! The load generator wrk, on the core of the load.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::{Failure, process};

/// What one run gave.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Run {
    /// Answers.
    pub requests: u64,
    /// Bytes of the answers.
    pub bytes: u64,
    /// How long it ran, in microseconds.
    pub micros: u64,
    /// Answers that were errors, and connections that broke.
    pub failed: u64,
    /// Half of the answers came within so many microseconds.
    pub p50: u64,
    /// All but one in a hundred.
    pub p99: u64,
    /// Processor time of the server for one answer, in microseconds.
    #[serde(skip)]
    pub cpu: f64,
    /// The part of one core that the server used.
    #[serde(skip)]
    pub busy: f64,
}

impl Run {
    /// Answers a second.
    pub fn rate(&self) -> f64 {
        self.requests as f64 * 1e6 / self.micros as f64
    }

    /// Bytes a second.
    pub fn bytes_rate(&self) -> f64 {
        self.bytes as f64 * 1e6 / self.micros as f64
    }
}

/// A load.
pub struct Wrk<'a> {
    /// The Lua script.
    pub script: PathBuf,
    /// Its argument.
    pub argument: String,
    /// Connections.
    pub connections: u32,
    /// Header lines.
    pub headers: &'a [String],
}

/// Prints what was measured; the end of every script.
const REPORT: &str = include_str!("../wrk/report.lua");

/// The script that asks for one address.
pub const ADDRESS: (&str, &str) = ("address.lua", "");
/// The script that asks for ranges.
pub const RANGES: (&str, &str) = ("ranges.lua", include_str!("../wrk/ranges.lua"));
/// The script that asks for the paths of a list.
pub const PATHS: (&str, &str) = ("paths.lua", include_str!("../wrk/paths.lua"));

/// Puts a script where wrk finds it.
pub fn script(folder: &Path, (name, asks): (&str, &str)) -> Result<PathBuf, Failure> {
    let path = folder.join(name);
    std::fs::write(&path, [asks, REPORT].concat())?;
    Ok(path)
}

impl Wrk<'_> {
    /// Runs against `url` and reads what the process `pid` spent on it. Any failed request is a failure.
    pub fn run(&self, url: &str, time: Duration, pid: u32) -> Result<Run, Failure> {
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
            line.ok_or_else(|| format!("wrk said: {text}{}", String::from_utf8_lossy(&output.stderr)))?;
        let mut run: Run = serde_json::from_str(line)?;
        if run.failed > 0 || run.requests == 0 {
            return Err(format!("{url}: {} of {} requests failed", run.failed, run.requests).into());
        }
        run.cpu = spent.as_secs_f64() * 1e6 / run.requests as f64;
        run.busy = spent.as_secs_f64() * 1e6 / run.micros as f64;
        Ok(run)
    }
}

/// Two loads in turn, so that what else the machine does meets both: after a short run of each that does not
/// count, `rounds` of each.
pub fn in_turn(
    rounds: usize,
    time: Duration,
    mut one: impl FnMut(Duration) -> Result<Run, Failure>,
    mut other: impl FnMut(Duration) -> Result<Run, Failure>,
) -> Result<(Vec<Run>, Vec<Run>), Failure> {
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
