//! Removes a version of a file that is no longer served, and its picture.

use jobs::{Failure, Job};
use kernel::{Millis, Uid};
use serde::{Deserialize, Serialize};
use storage::{Key, Name, Version};

use super::RemoveRendition;
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
    // What is not removed today is removed when the storage answers again.
    const RETRY_FOR: Option<Millis> = None;
}

/// Removing twice does no harm; a version that is served after all stays.
pub async fn run(room: Content, job: RemoveFile) -> Result<(), Failure> {
    let item = store::content::by_id(room.db.read(), job.org, job.content).await?;
    let served = item.as_ref().and_then(|item| item.source.as_ref());
    if served.is_some_and(|source| source.version == job.version) {
        return Ok(());
    }
    // What was made of a film is of no use to the document that took its place.
    let useless = item.as_ref().filter(|item| item.shown_rendition().is_none());
    if let Some(set) = useless.and_then(|item| item.rendition.as_ref()).map(|rendition| rendition.set) {
        let tx = room.db.write_tx_on(job.org).await?;
        if store::making::forget(&tx, job.content, set).await? {
            room.jobs.enqueue(&tx, &RemoveRendition { org: job.org, content: job.content, set }).await?;
        }
        tx.commit().await?;
    }
    for what in [Version::Source, Version::Poster] {
        let key = Key::content(job.org, job.content, &Name::version(what, job.version));
        room.storage.delete(&key).await?;
    }
    Ok(())
}
