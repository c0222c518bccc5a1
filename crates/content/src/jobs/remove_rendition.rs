//! Removes the output of a processing run that is no longer served.

use jobs::{Failure, Job};
use kernel::{Millis, Uid};
use serde::{Deserialize, Serialize};

use crate::{Content, store};

/// The processing run whose output to remove.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveRendition {
    pub org: Uid,
    pub content: Uid,
    pub set: Uid,
}

impl Job for RemoveRendition {
    const KIND: &'static str = "content_remove_rendition";
    // Retries until the storage is available again.
    const RETRY_FOR: Option<Millis> = None;
}

/// Removes the output unless it is served or still being made. Removing it twice does no harm.
pub async fn run(room: Content, job: RemoveRendition) -> Result<(), Failure> {
    if store::making::is_named(room.db.read(), job.content, job.set).await? {
        return Ok(());
    }
    Ok(room.erase_rendition(job.org, job.content, job.set).await?)
}
