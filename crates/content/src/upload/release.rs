//! Frees what an upload holds once it has ended: the request that is still sending, and the bytes received so
//! far. The space it reserved in the plan is freed by the row that records the end.

use kernel::{ResumableId, UploadId};
use storage::Progress;

use crate::model::UploadStatus;
use crate::reject_reason::RejectReason;
use crate::store::upload::ReceivedBytes;
use crate::{Content, Error, store};

/// Cancels a pending upload and frees what it holds. An upload that was rejected before stays as it is.
///
/// # Errors
/// [`Error::IngestUsed`] if its file was accepted already.
pub async fn cancel(content: &Content, upload: UploadId) -> Result<(), Error> {
    let (tx, now) = (content.db.write_tx().await?, content.ambient.now());
    let ended =
        store::upload::reject(&tx, upload, RejectReason::Cancelled, ReceivedBytes::Unknown, now).await?;
    let found = store::upload::by_uid(&tx, upload).await?.ok_or(Error::NoUpload)?;
    if !ended && found.status == UploadStatus::Available {
        return Err(Error::IngestUsed);
    }
    tx.commit().await?;
    free_uploads(content, &[upload]).await;
    Ok(())
}

/// Frees what ended uploads hold.
pub async fn free_uploads(content: &Content, uploads: &[UploadId]) {
    for upload in uploads {
        content.upload_slots.preempt(*upload).await;
        free_staged(content, *upload).await;
    }
}

/// Removes the bytes received for a resumable upload that ended.
pub async fn free_staged(content: &Content, upload: UploadId) {
    match store::resumable::of_upload(content.db.read(), upload).await {
        Ok(Some((uid, progress))) => discard_staged(content, uid, progress).await,
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, %upload, "leftovers of an upload could not be looked up"),
    }
}

/// Removes the bytes received for a resumable upload. What cannot be removed now is removed by the hourly
/// cleanup.
pub async fn discard_staged(content: &Content, uid: ResumableId, progress: Option<Progress>) {
    if let Some(progress) = progress
        && let Err(error) = content.discard(uid, &progress).await
    {
        tracing::warn!(%error, %uid, "leftovers of an upload could not be removed");
    }
}
