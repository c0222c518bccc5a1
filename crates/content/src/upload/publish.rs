//! Publishes a stored file: in one transaction the upload becomes available and the item shows the file.

use db::WriteTx;
use kernel::{DAY, Uid};
use media::Sniffed;
use storage::{Key, Name, Received, Version};

use crate::item::{DeclaredFile, Rendition};
use crate::jobs::{ProcessFile, RemoveFile, RemoveRendition};
use crate::model::{ContentKind, Origin, Processing, UploadStatus};
use crate::quota::check_quota;
use crate::store::content::NewSource;
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::upload::{ReceivedFile, Upload};
use crate::upload::address::check_right;
use crate::upload::reject::proves_unreferenced;
use crate::{Content, Error, store};

/// Records the file before it is stored under its key.
pub async fn record_source(content: &Content, upload: &Upload, id: Uid, bytes: u64) -> Result<(), Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let key = source_key(upload, id)?;
    let object = StoredObject::of_content(org, id, &key, ObjectKind::Source, bytes).with_upload(upload.uid);
    content.record_object(object).await
}

/// Returns the storage key for the file of an upload.
pub fn source_key(upload: &Upload, id: Uid) -> Result<Key, Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    Ok(Key::content(org, id, &Name::version(Version::Source, upload.uid)))
}

/// A verified file that is stored under its key.
pub struct StoredFile {
    pub received: Received,
    pub mime: String,
    pub sniffed: Sniffed,
}

/// Publishes a stored file. If it is certain that it never will be served, the file is removed.
pub async fn publish_source(
    content: &Content,
    upload: &Upload,
    id: Uid,
    stored: StoredFile,
    received_file: &ReceivedFile,
) -> Result<(), Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let StoredFile { received, mime, sniffed } = stored;
    let kind = ContentKind::from(sniffed.kind);
    let new_source = NewSource {
        version: upload.uid,
        file: declared_file(upload, mime, &received),
        kind,
        media_type: sniffed.mime.to_owned(),
        sha256: received.sha256,
        processing: if kind.is_processed() { Processing::Queued } else { Processing::None },
    };
    let published = publish(content, upload, org, id, new_source, received_file).await;
    if published.as_ref().is_err_and(proves_unreferenced) {
        content.erase(&source_key(upload, id)?).await?;
    }
    published
}

fn declared_file(upload: &Upload, mime: String, received: &Received) -> DeclaredFile {
    DeclaredFile {
        name: upload.file.name.clone(),
        size: received.len,
        mime,
        modified: upload.file.modified,
        checksum: upload.file.checksum(),
    }
}

/// Ends the upload, makes the item show the file and enqueues its processing, in one transaction.
async fn publish(
    content: &Content,
    upload: &Upload,
    org: Uid,
    id: Uid,
    new_source: NewSource,
    received_file: &ReceivedFile,
) -> Result<(), Error> {
    let now = content.ambient.now();
    let tx = content.db.write_tx_on(org).await?;
    finish(content, &tx, upload, received_file).await?;
    let before = store::content::by_id(&tx, org, id).await?.ok_or(Error::NotFound)?;
    // The reservation ended with the upload, and the file itself counts already. A replacement that is not
    // larger is never refused, even if the plan has shrunk.
    let served = before.source.as_ref().and(before.file.as_ref()).map_or(0, |file| file.size);
    if new_source.file.size > served {
        check_quota(content, &tx, org, new_source.file.size, 0).await?;
    }
    store::object::set_referenced(&tx, source_key(upload, id)?.as_str()).await?;
    let needs_processing = new_source.processing == Processing::Queued;
    store::content::set_source(&tx, id, new_source, now.max(before.modified_at + 1)).await?;
    if needs_processing {
        content.jobs.enqueue(&tx, &ProcessFile { org, content: id, version: upload.uid }).await?;
    }
    // Only the first file is announced, not a new version of it.
    if before.origin == Origin::Draft && store::content::should_announce(&tx, org, id).await? {
        content.announce(&tx, org, id).await?;
    }
    if let Some(old) = &before.source {
        store::object::set_unreferenced(&tx, before.source_key(old.version).as_str(), now).await?;
        content.jobs.enqueue(&tx, &RemoveFile { org, content: id, version: old.version }).await?;
    }
    if let Some(Rendition { run, .. }) = before.rendition {
        content.jobs.enqueue(&tx, &RemoveRendition { org, content: id, run }).await?;
    }
    Ok(tx.commit().await?)
}

/// Ends an upload as available, in the transaction that publishes its bytes.
///
/// # Errors
/// Fails if another request for the same address ended it first, or if the right is gone.
pub async fn finish(
    content: &Content,
    tx: &WriteTx,
    upload: &Upload,
    received_file: &ReceivedFile,
) -> Result<(), Error> {
    let now = content.ambient.now();
    if !store::upload::set_available(tx, upload.uid, received_file, now).await? {
        return match store::upload::by_uid(tx, upload.uid).await? {
            Some(ended) if ended.status == UploadStatus::Available => Err(Error::IngestUsed),
            _ => Err(Error::IngestRejected),
        };
    }
    // A resumable transfer of the same file has nothing left to send.
    store::resumable::complete(tx, upload.uid, now + DAY).await?;
    check_right(content, tx, upload).await
}
