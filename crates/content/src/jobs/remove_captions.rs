//! Removes captions that are no longer shown.

use jobs::{Job, JobError};
use kernel::{ContentId, Millis, OrgId, VersionId};
use serde::{Deserialize, Serialize};

use crate::item::Captions;
use crate::{Content, store};

/// The version to remove.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveCaptions {
    pub org: OrgId,
    pub content: ContentId,
    pub version: VersionId,
}

impl Job for RemoveCaptions {
    const KIND: &'static str = "content_remove_captions";
    // Retries until the storage is available again.
    const RETRY_FOR: Option<Millis> = None;
}

/// Removes the captions unless they are in use. Removing them twice does no harm.
pub async fn run(content: Content, job: RemoveCaptions) -> Result<(), JobError> {
    let item = store::content::by_id(content.db.read(), job.org, job.content).await?;
    let shown = item.is_some_and(|item| item.captions.iter().any(|one| one.version == job.version));
    match Captions::key(job.org, job.content, job.version).filter(|_| !shown) {
        Some(key) => Ok(content.erase(&key).await?),
        None => Ok(()),
    }
}
