//! Frees what an upload holds once it has ended: the request that still sends, and the bytes that have arrived.
//! What it reserved in the plan is free with the row that says how it ended.

use kernel::Uid;
use storage::Progress;

use crate::model::UploadStatus;
use crate::{Content, Error, store};

/// Why an upload ended that its sender gave up.
pub const CANCELLED: &str = "cancelled";
/// Why an upload ended whose content was deleted.
pub const CONTENT_DELETED: &str = "content_deleted";

/// Why an upload ended whose file was stored and never shown, and that nobody sent again for a day.
pub const ABANDONED: &str = "abandoned";

/// Ends an awaited upload and frees what it holds. One that was rejected before stays as it is.
///
/// # Errors
/// [`Error::IngestUsed`] if its file has arrived.
pub async fn cancel(room: &Content, upload: Uid) -> Result<(), Error> {
    let (tx, now) = (room.db.write_tx().await?, room.ambient.now());
    let ended =
        store::upload::finish(&tx, upload, UploadStatus::Rejected, Some(CANCELLED), None, now).await?;
    let found = store::upload::by_uid(&tx, upload).await?.ok_or(Error::NoUpload)?;
    if !ended && found.status == UploadStatus::Available {
        return Err(Error::IngestUsed);
    }
    tx.commit().await?;
    free(room, &[upload]).await;
    Ok(())
}

/// Frees what uploads hold that have ended.
pub async fn free(room: &Content, uploads: &[Uid]) {
    for upload in uploads {
        room.places.clear(*upload).await;
        free_staged(room, *upload).await;
    }
}

/// Removes what has arrived of an upload that ended, where it came in several requests.
pub async fn free_staged(room: &Content, upload: Uid) {
    match store::resumable::of_upload(room.db.read(), upload).await {
        Ok(Some((place, progress))) => forget(room, place, progress).await,
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, %upload, "what is left of an upload could not be looked up"),
    }
}

/// Removes what has arrived of a resumable upload; what cannot be removed now is swept later.
pub async fn forget(room: &Content, place: Uid, progress: Option<Progress>) {
    if let Some(progress) = progress
        && let Err(error) = room.discard(place, &progress).await
    {
        tracing::warn!(%error, %place, "what is left of an upload could not be removed");
    }
}
