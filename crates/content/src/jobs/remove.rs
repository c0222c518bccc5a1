//! Removes a version of a file that is no longer served, and its poster in all sizes.

use jobs::{Job, JobError};
use kernel::{ContentId, Millis, OrgId, VersionId};
use serde::{Deserialize, Serialize};
use storage::{Key, Name, Owner, Version};

use crate::{Content, store};

/// The version to remove.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveFile {
    pub org: OrgId,
    pub content: ContentId,
    pub version: VersionId,
}

impl Job for RemoveFile {
    const KIND: &'static str = "content_remove_file";
    // Retries until the storage is available again.
    const RETRY_FOR: Option<Millis> = None;
}

/// Removes the version unless it is served. Removing it twice does no harm.
pub async fn run(content: Content, job: RemoveFile) -> Result<(), JobError> {
    let item = store::content::by_id(content.db.read(), job.org, job.content).await?;
    let served = item.as_ref().and_then(|item| item.source.as_ref());
    if served.is_some_and(|source| source.version == job.version) {
        return Ok(());
    }
    let mut keys = Vec::from(
        [Version::Source, Version::Poster]
            .map(|what| Key::content(job.org, job.content, &Name::version(what, job.version))),
    );
    let smaller = store::object::posters_of(content.db.read(), job.content).await?;
    keys.extend(smaller.into_iter().filter(|key| is_poster_of(key, job.version)));
    Ok(content.erase_all(&keys).await?)
}

fn is_poster_of(key: &Key, of: VersionId) -> bool {
    matches!(key.owner(), Some(Owner::Poster { version, .. }) if version == of)
}
