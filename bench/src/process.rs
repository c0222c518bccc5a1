//! Processes: cores, resource use, run time.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::BoxError;

/// Ticks per second in /proc: 100 on Linux on all supported architectures.
const TICKS: f64 = 100.0;

/// Cores that a server runs on. The load runs on core 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// Core 0 only.
    Server,
    /// Cores 0 and 1.
    Both,
}

impl Cores {
    /// Returns the list in the syntax of taskset.
    pub fn list(self) -> &'static str {
        match self {
            Self::Server => "0",
            Self::Both => "0,1",
        }
    }

    /// Returns a description for the table.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Server => "server on one core",
            Self::Both => "server on both cores",
        }
    }
}

/// Returns once standard input is closed.
pub fn wait_for_end_of_input() {
    let mut rest = Vec::new();
    // Treat an unreadable input as closed.
    let _ = std::io::stdin().read_to_end(&mut rest);
}

/// Returns the processor time that a process has used.
pub fn cpu(pid: u32) -> Result<Duration, BoxError> {
    ticks(&pid.to_string(), 14)
}

/// Returns the processor time of all exited descendants of this process.
pub fn cpu_of_children() -> Result<Duration, BoxError> {
    ticks("self", 16)
}

/// Returns the sum of a field of /proc/pid/stat and the one after it, as numbered in proc(5).
fn ticks(pid: &str, field: usize) -> Result<Duration, BoxError> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in parentheses may contain spaces; field 3 follows it.
    let (_, fields) = stat.rsplit_once(')').ok_or("unreadable /proc/pid/stat")?;
    let both = fields.split_whitespace().skip(field - 3).take(2);
    Ok(Duration::from_secs_f64(both.filter_map(|text| text.parse::<f64>().ok()).sum::<f64>() / TICKS))
}

/// Returns `true` if a process has children.
pub fn has_children(pid: u32) -> Result<bool, BoxError> {
    let parent = pid.to_string();
    let all = std::fs::read_dir("/proc")?.flatten().map(|entry| entry.path().join("stat"));
    // Entries that are not processes, or processes that have exited since, cannot be read.
    let mut stats = all.filter_map(|path| std::fs::read_to_string(path).ok());
    Ok(stats.any(|stat| {
        let fields = stat.rsplit_once(')').map(|(_, fields)| fields).unwrap_or_default();
        fields.split_whitespace().nth(1) == Some(&parent)
    }))
}

/// Returns the path of a file below a folder whose path and length match.
pub fn find_file(folder: &Path, is: impl Fn(&Path, u64) -> bool) -> Result<PathBuf, BoxError> {
    find_files(folder, is).pop().ok_or_else(|| "stored file not found".into())
}

/// Returns all files below a folder that match.
pub fn find_files(folder: &Path, is: impl Fn(&Path, u64) -> bool) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        // Ignore entries that disappear during the search.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => folders.push(entry.path()),
                Ok(meta) if is(&entry.path(), meta.len()) => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files
}

/// Memory of a process in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Current resident memory.
    pub now: u64,
    /// Peak resident memory since the last [`reset_peak`].
    pub peak: u64,
}

/// Returns the resident memory of a process.
pub fn memory(pid: u32) -> Result<Memory, BoxError> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let kib = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok())
    };
    let both = kib("VmRSS:").zip(kib("VmHWM:")).ok_or("unreadable /proc/pid/status")?;
    Ok(Memory { now: both.0 * 1024, peak: both.1 * 1024 })
}

/// Resets the peak.
pub fn reset_peak(pid: u32) -> Result<(), BoxError> {
    Ok(std::fs::write(format!("/proc/{pid}/clear_refs"), "5")?)
}

/// Runs a command to completion and returns the time it took.
pub fn timed(command: &mut std::process::Command) -> Result<Duration, BoxError> {
    let started = Instant::now();
    let output = command.output()?;
    let took = started.elapsed();
    if !output.status.success() {
        let output = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("{} failed: {output}", command.get_program().display()).into());
    }
    Ok(took)
}

/// Describes the machine in one line.
pub fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let cpus = read("/proc/cpuinfo");
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(": unknown");
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = cpus.lines().filter(|line| line.starts_with("processor")).count().max(count);
    let memory = read("/proc/meminfo");
    let kib = memory.lines().next().and_then(|line| line.split_whitespace().nth(1)).unwrap_or("0");
    let gib = kib.parse::<u64>().unwrap_or(0) / 1024 / 1024;
    let kernel = read("/proc/sys/kernel/osrelease");
    let load = read("/proc/loadavg");
    let load = load.split_whitespace().next().unwrap_or("?").to_owned();
    let model = model.trim_start_matches([':', ' ', '\t']);
    format!("{cores} x {model}, {gib} GiB, Linux {}, load {load}", kernel.trim())
}

/// Median, lowest and highest value.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Median round.
    pub median: f64,
    /// Lowest round.
    pub low: f64,
    /// Highest round.
    pub high: f64,
}

/// Computes the spread of at least one round.
pub fn spread(rounds: impl IntoIterator<Item = f64>) -> Spread {
    let mut rounds: Vec<f64> = rounds.into_iter().collect();
    rounds.sort_by(f64::total_cmp);
    let at = |index: usize| rounds.get(index).copied().unwrap_or(f64::NAN);
    Spread { median: at(rounds.len() / 2), low: at(0), high: at(rounds.len().saturating_sub(1)) }
}
