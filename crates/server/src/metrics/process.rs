//! What this process uses of the machine, as Linux counts it.

use std::fs;

use metrics::{counter, gauge};
use nix::unistd::{SysconfVar, sysconf};

/// Sets the metrics of the process. Those that cannot be read keep their values.
pub(super) fn refresh() {
    if let Some(seconds) = cpu_seconds() {
        counter!("vitrine_process_cpu_seconds_total").absolute(seconds);
    }
    if let Some(bytes) = resident_bytes() {
        gauge!("vitrine_process_resident_bytes").set(bytes as f64);
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        gauge!("vitrine_process_open_files").set(open.count() as f64);
    }
}

/// Returns the whole seconds of processor time that the process has used.
fn cpu_seconds() -> Option<u64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may contain spaces. The times in user and kernel mode are fields 14 and 15.
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let ticks: u64 = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(ticks / u64::try_from(sysconf(SysconfVar::CLK_TCK).ok()??).ok()?)
}

fn resident_bytes() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * u64::try_from(sysconf(SysconfVar::PAGE_SIZE).ok()??).ok()?)
}
