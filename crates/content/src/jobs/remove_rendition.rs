//! Removes what was made of a file and is no longer served.

use jobs::{Failure, Job};
use kernel::{Millis, Uid};
use serde::{Deserialize, Serialize};

use crate::{Content, store};

/// The making to remove.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveRendition {
    pub org: Uid,
    pub content: Uid,
    pub set: Uid,
}

impl Job for RemoveRendition {
    const KIND: &'static str = "content_remove_rendition";
    // What is not removed today is removed when the storage answers again.
    const RETRY_FOR: Option<Millis> = None;
}

/// Removing twice does no harm; what is served after all stays.
pub async fn run(room: Content, job: RemoveRendition) -> Result<(), Failure> {
    if store::making::is_named(room.db.read(), job.content, job.set).await? {
        return Ok(());
    }
    Ok(room.erase_rendition(job.org, job.content, job.set).await?)
}
