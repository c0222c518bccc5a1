//! Receives and publishes the file of a content item.

use axum::body::Body;
use http::HeaderMap;
use kernel::Uid;
use media::Sniffed;
use storage::{Key, Name, Received, Version};

use super::{Verified, announced_length, finish, receive, unnamed};
use crate::item::{FileFacts, Rendition};
use crate::jobs::{ProcessFile, RemoveFile, RemoveRendition};
use crate::model::{ContentKind, Origin, Processing};
use crate::ops::create_content::check_quota;
use crate::places::Place;
use crate::store::content::Arrived;
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::upload::{Came, Upload};
use crate::{Content, Error, release, store};

/// Receives the file and publishes it.
pub async fn take(
    room: &Content,
    upload: &Upload,
    content: Uid,
    headers: &HeaderMap,
    body: Body,
    place: &Place,
    came: &mut Came,
) -> Result<(), Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let key = key(upload, content)?;
    if upload.file.size.is_none() {
        // Announced without a size: the length of the request is reserved before any byte is read.
        let size = announced_length(room, upload, headers)?;
        let tx = room.db.write_tx_on(org).await?;
        check_quota(room, &tx, org, size, size).await?;
        store::upload::set_size(&tx, upload.uid, size).await?;
        tx.commit().await?;
    }
    let Verified { staged, mime, sniffed } =
        receive(room, upload, &key, headers, body.into_data_stream(), place, came).await?;
    intend(room, upload, content, staged.received().len).await?;
    // Stored under a key that no row refers to yet; a crash from here on costs only another attempt.
    let received = staged.commit().await?;
    show(room, upload, content, Stored { received, mime, sniffed }, came).await?;
    // Bytes of an earlier resumable attempt.
    release::free_staged(room, upload.uid).await;
    Ok(())
}

/// Records the file before it is stored under its key.
pub async fn intend(room: &Content, upload: &Upload, content: Uid, bytes: u64) -> Result<(), Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let key = key(upload, content)?;
    let object = StoredObject::of_content(org, content, &key, ObjectKind::Source, bytes).by(upload.uid);
    room.intend(object).await
}

/// Returns the storage key for the file of an upload.
pub fn key(upload: &Upload, content: Uid) -> Result<Key, Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    Ok(Key::content(org, content, &Name::version(Version::Source, upload.uid)))
}

/// A verified file that is stored under its key.
pub struct Stored {
    pub received: Received,
    pub mime: String,
    pub sniffed: Sniffed,
}

/// Publishes a stored file. If it is certain that it never will be served, the file is removed.
pub async fn show(
    room: &Content,
    upload: &Upload,
    content: Uid,
    stored: Stored,
    came: &Came,
) -> Result<(), Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let Stored { received, mime, sniffed } = stored;
    let kind = ContentKind::from(sniffed.kind);
    let arrived = Arrived {
        version: upload.uid,
        file: facts(upload, mime, &received),
        kind,
        media_type: sniffed.mime.to_owned(),
        sha256: received.sha256,
        processing: if kind.is_processed() { Processing::Queued } else { Processing::None },
    };
    let published = publish(room, upload, org, content, arrived, came).await;
    if published.as_ref().is_err_and(unnamed) {
        room.erase(&key(upload, content)?).await?;
    }
    published
}

fn facts(upload: &Upload, mime: String, received: &Received) -> FileFacts {
    FileFacts {
        name: upload.file.name.clone(),
        size: received.len,
        mime,
        modified: upload.file.modified,
        checksum: upload.file.checksum(),
    }
}

/// Ends the upload, makes the item show the file and enqueues its processing, in one transaction.
async fn publish(
    room: &Content,
    upload: &Upload,
    org: Uid,
    content: Uid,
    arrived: Arrived,
    came: &Came,
) -> Result<(), Error> {
    let now = room.ambient.now();
    let tx = room.db.write_tx_on(org).await?;
    finish(room, &tx, upload, came).await?;
    let before = store::content::by_id(&tx, org, content).await?.ok_or(Error::NotFound)?;
    // The reservation ended with the upload, and the file itself counts already. A replacement that is not
    // larger is never refused, even if the plan has shrunk.
    let served = before.source.as_ref().and(before.file.as_ref()).map_or(0, |file| file.size);
    if arrived.file.size > served {
        check_quota(room, &tx, org, arrived.file.size, 0).await?;
    }
    store::object::set_named(&tx, key(upload, content)?.as_str()).await?;
    let looked_at = arrived.processing == Processing::Queued;
    store::content::arrive(&tx, content, arrived, now.max(before.modified_at + 1)).await?;
    if looked_at {
        room.jobs.enqueue(&tx, &ProcessFile { org, content, version: upload.uid }).await?;
    }
    // Only the first file is announced, not a new version of it.
    if before.origin == Origin::Draft && store::content::is_news(&tx, org, content).await? {
        room.tell(&tx, org, content).await?;
    }
    if let Some(old) = &before.source {
        store::object::set_unnamed(&tx, before.source_key(old.version).as_str(), now).await?;
        room.jobs.enqueue(&tx, &RemoveFile { org, content, version: old.version }).await?;
    }
    if let Some(Rendition { set, .. }) = before.rendition {
        room.jobs.enqueue(&tx, &RemoveRendition { org, content, set }).await?;
    }
    Ok(tx.commit().await?)
}
