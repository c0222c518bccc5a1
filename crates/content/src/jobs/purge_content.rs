//! Removes the files of an item that was deleted permanently.

use jobs::{Job, JobError};
use kernel::{ContentId, Millis, OrgId};
use serde::{Deserialize, Serialize};

use super::purge::erase_content;
use crate::{Content, store};

/// The item whose files to remove.
#[derive(Debug, Serialize, Deserialize)]
pub struct PurgeContent {
    pub org: OrgId,
    pub content: ContentId,
}

impl Job for PurgeContent {
    const KIND: &'static str = "content_purge";
    const RETRY_FOR: Option<Millis> = None;
}

/// Removes the files unless they are gone or the item is not deleted.
pub async fn run(content: Content, job: PurgeContent) -> Result<(), JobError> {
    if store::content::is_unpurged(content.db.read(), job.org, job.content).await? {
        erase_content(&content, job.org, job.content).await
    } else {
        Ok(())
    }
}
