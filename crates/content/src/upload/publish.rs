//! Publishes a stored file: in one transaction the upload becomes available and the item shows the file.

use db::WriteTx;
use kernel::{ContentId, DAY, OrgId};
use storage::{Key, Name, Version};

use crate::item::{DeclaredFile, Rendition, version_of};
use crate::jobs::{ProcessFile, RemoveFile, RemoveRendition};
use crate::model::{ContentKind, Origin, Processing, UploadStatus};
use crate::quota::check_quota;
use crate::store::content::NewSource;
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::upload::{ReceivedFile, Upload};
use crate::upload::address::check_right;
use crate::upload::error::UploadError;
use crate::upload::reject::proves_unreferenced;
use crate::upload::verify::VerifiedFile;
use crate::{Content, Error, store};

/// Returns the storage key for the file of an upload.
pub fn source_key(upload: &Upload, id: ContentId) -> Result<Key, Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    Ok(Key::content(org, id, &Name::version(Version::Source, version_of(upload.uid))))
}

/// A verified file that is stored under its key, to which no row refers yet.
pub struct StoredFile {
    verified: VerifiedFile,
    key: Key,
    org: OrgId,
    /// The item whose file it is.
    content: ContentId,
}

/// Stores the file of a content item under its key and publishes it. `commit` makes its bytes visible in the
/// storage.
pub async fn store_and_publish(
    content: &Content,
    upload: &Upload,
    id: ContentId,
    verified: VerifiedFile,
    commit: impl Future<Output = Result<(), Error>>,
) -> Result<(), UploadError> {
    let received = verified.received();
    let published = async {
        let stored = store_source(content, upload, id, verified, commit).await?;
        publish_source(content, upload, &stored).await
    };
    published.await.map_err(|error| UploadError::after(error, received))?;
    metrics::counter!("vitrine_uploads_total", "outcome" => "stored").increment(1);
    metrics::counter!("vitrine_upload_bytes_total").increment(received.size);
    Ok(())
}

/// Records the file, then stores it. A crash from here on costs only another attempt.
async fn store_source(
    content: &Content,
    upload: &Upload,
    id: ContentId,
    verified: VerifiedFile,
    commit: impl Future<Output = Result<(), Error>>,
) -> Result<StoredFile, Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let key = source_key(upload, id)?;
    let (kind, size) = (ObjectKind::Source, verified.received().size);
    let object = StoredObject::of_content(org, id, &key, kind, size).with_upload(upload.uid);
    content.record_objects(vec![object]).await?;
    commit.await?;
    Ok(StoredFile { verified, key, org, content: id })
}

/// Publishes a stored file. If it is certain that it never will be served, the file is removed.
async fn publish_source(content: &Content, upload: &Upload, stored: &StoredFile) -> Result<(), Error> {
    let published = refer_to_source(content, upload, stored).await;
    if published.as_ref().is_err_and(proves_unreferenced) {
        content.erase(&stored.key).await?;
    }
    published
}

/// Describes the file as the new source of its item.
fn new_source(upload: &Upload, verified: &VerifiedFile) -> NewSource {
    let (received, kind) = (verified.received(), ContentKind::from(verified.kind()));
    NewSource {
        version: version_of(upload.uid),
        file: DeclaredFile {
            name: upload.file.name.clone(),
            size: received.size,
            mime: Some(verified.mime().to_owned()),
            modified: upload.file.modified,
            checksum: Some(upload.file.checksum()),
        },
        kind,
        media_type: received.media_type.to_owned(),
        sha256: received.sha256,
        processing: if kind.is_processed() { Processing::Queued } else { Processing::None },
    }
}

/// Ends the upload, makes the item show the file and enqueues its processing, in one transaction.
async fn refer_to_source(content: &Content, upload: &Upload, stored: &StoredFile) -> Result<(), Error> {
    let StoredFile { verified, key, org, content: id } = stored;
    let (org, id, new_source) = (*org, *id, new_source(upload, verified));
    let now = content.ambient.now();
    let tx = content.db.write_tx_on(org).await?;
    set_available(content, &tx, upload, verified.received()).await?;
    let before = store::content::by_id(&tx, org, id).await?.ok_or(Error::NotFound)?;
    // The reservation ended with the upload, and the file itself counts already. A replacement that is not
    // larger is never refused, even if the plan has shrunk.
    let served = before.source.as_ref().and(before.file.as_ref()).map_or(0, |file| file.size);
    if new_source.file.size > served {
        check_quota(content, &tx, org, new_source.file.size, 0).await?;
    }
    store::object::set_referenced(&tx, key.as_str()).await?;
    let needs_processing = new_source.processing == Processing::Queued;
    store::content::set_source(&tx, id, new_source, now.max(before.modified_at + 1)).await?;
    if needs_processing {
        content.jobs.enqueue(&tx, &ProcessFile { org, content: id, version: version_of(upload.uid) }).await?;
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
pub async fn set_available(
    content: &Content,
    tx: &WriteTx,
    upload: &Upload,
    received: ReceivedFile,
) -> Result<(), Error> {
    let now = content.ambient.now();
    if !store::upload::set_available(tx, upload.uid, received, now).await? {
        return match store::upload::by_uid(tx, upload.uid).await? {
            Some(ended) if ended.status == UploadStatus::Available => Err(Error::IngestUsed),
            _ => Err(Error::IngestRejected),
        };
    }
    // A resumable transfer of the same file has nothing left to send.
    store::resumable::complete(tx, upload.uid, now + DAY).await?;
    check_right(content, tx, upload).await
}
