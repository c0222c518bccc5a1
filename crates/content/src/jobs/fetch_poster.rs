//! Fetches the thumbnail of an embedded video from its host and stores it as the poster of the item, so that viewers see
//! it without a request to the host.

use db::WriteTx;
use jobs::{Attempt, Job, JobError};
use kernel::{ContentId, Millis, OrgId};
use media::ImageError;
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};
use storage::Key;

use crate::embed::{EmbedLookup, EmbeddedVideo, LookupError};
use crate::item::{Item, Poster};
use crate::poster::poster_files;
use crate::store::object::{ObjectKind, StoredObject};
use crate::{Content, Error, store};

/// The item whose video has no poster yet.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct FetchPoster {
    pub org: OrgId,
    pub content: ContentId,
}

impl Job for FetchPoster {
    const KIND: &'static str = "content_fetch_poster";
}

impl Content {
    /// Has the poster of an embedded video fetched, as part of `tx`, unless its host is unknown or may not be asked.
    pub(crate) async fn enqueue_poster(
        &self,
        tx: &WriteTx,
        org: OrgId,
        content: ContentId,
        link: &str,
    ) -> Result<(), DbErr> {
        if self.embed_lookup.is_some() && EmbeddedVideo::parse(link).is_some() {
            self.jobs.enqueue(tx, &FetchPoster { org, content }).await?;
        }
        Ok(())
    }
}

/// Fetches and stores the poster, unless the item has one or is deleted. If the host refuses, or does not answer in the
/// last attempt, the item keeps the cover that the apps draw.
pub async fn run(content: Content, job: FetchPoster, attempt: Attempt) -> Result<(), JobError> {
    let Some(lookup) = content.embed_lookup.clone() else { return Ok(()) };
    let item = store::content::by_id(content.db.read(), job.org, job.content).await?;
    let Some(item) = item.filter(|item| item.poster.is_none()) else { return Ok(()) };
    let Some(video) = item.link.as_deref().and_then(EmbeddedVideo::parse) else { return Ok(()) };
    match fetch(&lookup, &video).await {
        Ok((image, duration)) => store_poster(&content, &item, image, duration).await,
        Err(error @ LookupError::Unavailable(_)) if !attempt.is_last => Err(error.into()),
        Err(error) => {
            tracing::info!(content = %item.uid, %error, "the embedded video gets no poster");
            Ok(())
        }
    }
}

/// Returns the thumbnail, and the length of the video if the host tells it.
async fn fetch(
    lookup: &EmbedLookup,
    video: &EmbeddedVideo,
) -> Result<(Vec<u8>, Option<Millis>), LookupError> {
    let described = lookup.describe(video).await?;
    let thumbnail = described.thumbnail.ok_or_else(|| LookupError::Refused("no thumbnail".to_owned()))?;
    Ok((lookup.thumbnail(video.host, &thumbnail).await?, described.duration))
}

/// Encodes the image again and stores it.
async fn store_poster(
    content: &Content,
    item: &Item,
    image: Vec<u8>,
    duration: Option<Millis>,
) -> Result<(), JobError> {
    let folder = content.media.folder().await?;
    let path = folder.path().join("image");
    tokio::fs::write(&path, image).await?;
    let encoded = match content.in_poster_sizes(&path).await {
        Ok(encoded) => encoded,
        Err(error @ ImageError::Machine(_)) => return Err(error.into()),
        Err(error) => {
            tracing::info!(content = %item.uid, %error, "the embedded video gets no poster");
            return Ok(());
        }
    };
    let version = content.ambient.uid();
    let (poster, files) = poster_files(item.org, item.uid, version, encoded.bytes, encoded.smaller);
    content.storage.check_space(files.iter().map(|(_, bytes)| bytes.len() as u64).sum())?;
    let object = |(key, bytes): &(Key, Vec<u8>)| {
        StoredObject::of_content(item.org, item.uid, key, ObjectKind::Poster, bytes.len() as u64)
    };
    content.record_objects(files.iter().map(object).collect()).await?;
    let mut keys = Vec::new();
    for (key, bytes) in files {
        content.storage.put(&key, bytes.into()).await?;
        keys.push(key);
    }
    if !publish(content, item, (&poster, duration), &keys).await? {
        content.erase_all(&keys).await?;
    }
    Ok(())
}

/// Makes the item refer to the poster. Returns false if it was deleted, or has another address by now, which has another
/// job.
async fn publish(
    content: &Content,
    item: &Item,
    shown: (&Poster, Option<Millis>),
    keys: &[Key],
) -> Result<bool, Error> {
    let link = item.link.as_deref().unwrap_or_default();
    let tx = content.db.write_tx_on(item.org).await?;
    let is_current = content.orgs.exists(&tx, item.org).await?
        && store::embed::set_poster(&tx, item.org, item.uid, link, shown).await?;
    if is_current {
        store::object::set_all_referenced(&tx, keys).await?;
        tx.commit().await?;
    }
    Ok(is_current)
}
