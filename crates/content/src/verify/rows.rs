//! What must be true of a content's row, its upload and its job.

use std::collections::HashSet;

use kernel::{DAY, Finding, HOUR, MINUTE, Millis, Uid};

use crate::model::{Origin, Processing};
use crate::store::named::{Checked, Uploads};

/// How long a draft may lie without a file that is awaited: the hourly purge takes it after a day.
const DRAFT_LIFE: Millis = DAY + HOUR;
/// How long a worker may be silent.
const SILENCE: Millis = 15 * MINUTE;

/// What else the database says.
pub struct Facts {
    pub now: Millis,
    pub uploads: Uploads,
    /// Contents whose processing waits or runs.
    pub jobs: HashSet<Uid>,
}

/// Checks one content.
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
                tell("draft", "is a draft whose file is no longer awaited");
            }
        }
        (Origin::Integration, _) => {}
    }
    let is_waiting = facts.jobs.contains(&item.uid);
    let is_silent = checked.heartbeat_at.is_none_or(|at| at < facts.now - SILENCE);
    match item.processing {
        Processing::Queued if !is_waiting => tell("processing", "waits for a job that is not there"),
        Processing::Running if !is_waiting && is_silent => {
            tell("processing", "is said to be processed, but no job does that");
        }
        _ => {}
    }
    found
}
