//! Checks the row of an item against its upload and its job.

use std::collections::HashSet;

use kernel::{ContentId, DAY, Finding, HOUR, MINUTE, Millis, Timestamp};

use crate::item::upload_of;
use crate::model::{Origin, Processing};
use crate::store::references::{Checked, Uploads};

/// Maximum age of a draft without a pending upload; the hourly purge removes it after a day.
const DRAFT_LIFETIME: Millis = DAY + HOUR;
/// How long a worker may go without a heartbeat.
const HEARTBEAT_TIMEOUT: Millis = 15 * MINUTE;

/// Other facts from the database.
pub struct Context {
    pub now: Timestamp,
    pub uploads: Uploads,
    /// Items with a waiting or running job.
    pub jobs: HashSet<ContentId>,
}

/// Checks one item.
pub fn check(checked: &Checked, context: &Context) -> Vec<Finding> {
    let item = &checked.item;
    let mut found = Vec::new();
    let mut report = |check, what: &str| found.push(Finding::new(check, "content", item.uid, what));
    match (item.origin, &item.source) {
        (Origin::Native, None) => report("content_file", "is available but has no stored file"),
        (Origin::Native, Some(source)) => {
            if item.file.is_none() || source.sha256.as_ref().is_none_or(|hash| hash.len() != 32) {
                report("content_file", "lacks the name, the length or the SHA-256 of its file");
            }
            if !context.uploads.available.contains(&upload_of(source.version)) {
                report("content_upload", &format!("its file's upload {} is not available", source.version));
            }
        }
        (Origin::Draft, _) => {
            if item.created_at < context.now - DRAFT_LIFETIME && !context.uploads.pending.contains(&item.uid)
            {
                report("draft", "is a draft without a pending upload");
            }
        }
        (Origin::Integration, _) => {}
    }
    let is_waiting = context.jobs.contains(&item.uid);
    let is_silent = checked.heartbeat_at.is_none_or(|at| at < context.now - HEARTBEAT_TIMEOUT);
    match item.processing {
        Processing::Queued if !is_waiting => report("processing", "waits for a job that does not exist"),
        Processing::Running if !is_waiting && is_silent => {
            report("processing", "is marked as being processed, but has no job");
        }
        _ => {}
    }
    found
}
