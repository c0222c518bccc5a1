//! Removes the files of one content that was deleted permanently.

use jobs::{Failure, Job};
use kernel::{Millis, Uid};
use serde::{Deserialize, Serialize};

use super::purge::erase_content;
use crate::{Content, store};

/// The content whose files are to be removed.
#[derive(Debug, Serialize, Deserialize)]
pub struct PurgeContent {
    pub org: Uid,
    pub content: Uid,
}

impl Job for PurgeContent {
    const KIND: &'static str = "content_purge";
    const RETRY_FOR: Option<Millis> = None;
}

/// Removing twice does no harm; content that is not deleted stays.
pub async fn run(room: Content, job: PurgeContent) -> Result<(), Failure> {
    match store::content::is_unpurged(room.db.read(), job.org, job.content).await? {
        true => erase_content(&room, job.org, job.content).await,
        false => Ok(()),
    }
}
