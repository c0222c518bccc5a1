//! Removes a version of a file that is no longer served, and its picture.

use jobs::{Failure, Job};
use kernel::Uid;
use serde::{Deserialize, Serialize};
use storage::{Key, Name, Version};

use crate::{Content, store};

/// The version to remove.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveFile {
    pub org: Uid,
    pub content: Uid,
    pub version: Uid,
}

impl Job for RemoveFile {
    const KIND: &'static str = "content_remove_file";
}

/// Removing twice does no harm; a version that is served after all stays.
pub async fn run(room: Content, job: RemoveFile) -> Result<(), Failure> {
    let item = store::content::by_id(room.db.read(), job.org, job.content).await?;
    if item.and_then(|item| item.source).is_some_and(|source| source.version == job.version) {
        return Ok(());
    }
    for what in [Version::Source, Version::Poster] {
        let key = Key::content(job.org, job.content, &Name::version(what, job.version));
        room.storage.delete(&key).await?;
    }
    Ok(())
}
