//! Removes the output of a processing run that is no longer served.

use jobs::{Job, JobError};
use kernel::{ContentId, Millis, OrgId, RunId};
use serde::{Deserialize, Serialize};

use crate::{Content, store};

/// The processing run whose output to remove.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveRendition {
    pub org: OrgId,
    pub content: ContentId,
    pub run: RunId,
}

impl Job for RemoveRendition {
    const KIND: &'static str = "content_remove_rendition";
    // Retries until the storage is available again.
    const RETRY_FOR: Option<Millis> = None;
}

/// Removes the output unless it is served or still being made. Removing it twice does no harm.
pub async fn run(content: Content, job: RemoveRendition) -> Result<(), JobError> {
    if store::processing_run::is_referenced(content.db.read(), job.content, job.run).await? {
        return Ok(());
    }
    Ok(content.erase_rendition(job.org, job.content, job.run).await?)
}
