//! Checks the row of an item against its upload and its job.

use std::collections::HashSet;

use kernel::{DAY, Finding, HOUR, MINUTE, Millis, Uid};

use crate::model::{Origin, Processing};
use crate::store::named::{Checked, Uploads};

/// Maximum age of a draft without a pending upload; the hourly purge removes it after a day.
const DRAFT_LIFE: Millis = DAY + HOUR;
/// How long a worker may go without a heartbeat.
const SILENCE: Millis = 15 * MINUTE;

/// Other facts from the database.
pub struct Facts {
    pub now: Millis,
    pub uploads: Uploads,
    /// Items with a waiting or running job.
    pub jobs: HashSet<Uid>,
}

/// Checks one item.
pub fn check(checked: &Checked, facts: &Facts) -> Vec<Finding> {
    let item = &checked.item;
    let mut found = Vec::new();
    let mut tell = |check, what: &str| found.push(Finding::new(check, "content", item.uid, what));
    match (item.origin, &item.source) {
        (Origin::Native, None) => tell("content_file", "is available but has no stored file"),
        (Origin::Native, Some(source)) => {
            if item.file.is_none() || source.sha256.len() != 32 {
                tell("content_file", "lacks the name, the length or the SHA-256 of its file");
            }
            if !facts.uploads.available.contains(&source.version) {
                tell("content_upload", &format!("its file's upload {} is not available", source.version));
            }
        }
        (Origin::Draft, _) => {
            if item.created_at < facts.now - DRAFT_LIFE && !facts.uploads.awaiting.contains(&item.uid) {
                tell("draft", "is a draft without a pending upload");
            }
        }
        (Origin::Integration, _) => {}
    }
    let is_waiting = facts.jobs.contains(&item.uid);
    let is_silent = checked.heartbeat_at.is_none_or(|at| at < facts.now - SILENCE);
    match item.processing {
        Processing::Queued if !is_waiting => tell("processing", "waits for a job that does not exist"),
        Processing::Running if !is_waiting && is_silent => {
            tell("processing", "is marked as being processed, but has no job");
        }
        _ => {}
    }
    found
}
