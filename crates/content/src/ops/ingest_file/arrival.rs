//! The file of a content comes in.

use axum::body::Body;
use http::HeaderMap;
use kernel::Uid;
use storage::{Key, Name, Received, Version};

use super::{Verified, receive};
use crate::item::FileFacts;
use crate::jobs::{ProcessFile, RemoveFile};
use crate::model::{ContentKind, Processing, UploadStatus};
use crate::ops::create_content::check_quota;
use crate::store::content::Arrived;
use crate::store::upload::Upload;
use crate::{Content, Error, store};

/// Takes the file and makes it the one that is served.
pub async fn take(
    room: &Content,
    upload: &Upload,
    content: Uid,
    headers: &HeaderMap,
    body: Body,
) -> Result<(), Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let key = Key::content(org, content, &Name::version(Version::Source, upload.uid));
    let Verified { staged, mime, sniffed } =
        receive(room, upload, &key, headers, body.into_data_stream()).await?;
    // Visible under a key that no row names yet; a crash from here on costs another try, nothing else.
    let received = staged.commit().await?;
    let kind = ContentKind::from(sniffed.kind);
    let looked_at = matches!(kind, ContentKind::Video | ContentKind::Audio | ContentKind::Image);
    let arrived = Arrived {
        version: upload.uid,
        file: facts(upload, mime, &received),
        kind,
        media_type: sniffed.mime.to_owned(),
        sha256: received.sha256,
        processing: if looked_at { Processing::Queued } else { Processing::None },
    };
    let published = publish(room, upload, org, content, arrived, looked_at).await;
    // Only where it is certain that no row names the file: after a lost connection to the database nobody
    // knows, and where another request with the same bytes was faster it is the file being served.
    if let Err(Error::NotFound | Error::QuotaExceeded | Error::FileTooLarge) = published {
        room.storage.delete(&key).await?;
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

/// One transaction: the upload ends, the content shows the file, its processing is in the queue.
async fn publish(
    room: &Content,
    upload: &Upload,
    org: Uid,
    content: Uid,
    arrived: Arrived,
    looked_at: bool,
) -> Result<(), Error> {
    let now = room.ambient.now();
    let tx = room.db.write_tx_on(org).await?;
    if !store::upload::finish(&tx, upload.uid, UploadStatus::Available, None, now).await? {
        return Err(Error::IngestUsed);
    }
    let before = store::content::by_id(&tx, org, content).await?.ok_or(Error::NotFound)?;
    if upload.file.size.is_none() {
        check_quota(room, &tx, org, Some(arrived.file.size)).await?;
    }
    store::content::arrive(&tx, content, arrived, now.max(before.modified_at + 1)).await?;
    if looked_at {
        room.jobs.enqueue(&tx, &ProcessFile { org, content, version: upload.uid }).await?;
    }
    if let Some(old) = before.source {
        room.jobs.enqueue(&tx, &RemoveFile { org, content, version: old.version }).await?;
    }
    Ok(tx.commit().await?)
}
