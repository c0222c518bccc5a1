//! Checks the row of an item against its upload and its job.

use std::collections::{HashMap, HashSet};

use kernel::{ContentId, DAY, Finding, HOUR, MINUTE, Millis, Timestamp};

use crate::item::upload_of;
use crate::jobs::HEARTBEAT_TIMEOUT;
use crate::model::{Origin, Processing};
use crate::store::object::FileRecord;
use crate::store::references::{Checked, Uploads};

/// Maximum age of a draft without a pending upload; the hourly purge removes it after a day.
const DRAFT_LIFETIME: Millis = DAY + HOUR;
/// How far the clocks of servers may differ.
const CLOCK_TOLERANCE: Millis = MINUTE;

/// Other facts from the database.
pub struct Context {
    pub now: Timestamp,
    pub uploads: Uploads,
    /// Records of the stored files, by path.
    pub records: HashMap<String, FileRecord>,
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
            let record = context.records.get(item.source_key(source.version).as_str());
            let size = item.file.as_ref().map(|file| file.size);
            if record.is_none_or(|record| !record.is_referenced || Some(record.bytes) != size) {
                report(
                    "object_record",
                    "its file is not recorded, so that the plan is not charged for its size",
                );
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
    if item.created_at > context.now + CLOCK_TOLERANCE {
        report("time_future", "was created in the future");
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
