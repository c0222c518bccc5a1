//! The hourly cleanup: expired drafts, files of items deleted 30 days ago, expired addresses and uploads,
//! objects that no row refers to, and what killed processes left behind.

use std::time::Duration;

use jobs::JobError;
use kernel::{ContentId, DAY, HOUR, Millis, OrgId, ResumableId, Timestamp};
use sea_orm::DbErr;
use storage::Key;

use crate::objects::staged_path;
use crate::reject_reason::RejectReason;
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::upload::ReceivedBytes;
use crate::{Content, store};

/// How long a draft waits for its file.
const DRAFT_LIFETIME: Millis = DAY;
/// How long the files of a deleted item are kept.
pub const DELETED_LIFETIME: Millis = 30 * DAY;
/// How long a deleted item can be restored: not while its files are being removed.
pub const RESTORABLE: Millis = DELETED_LIFETIME - HOUR;
/// How long an object may exist without a row that refers to it.
const UNREFERENCED_LIFETIME: Millis = DAY;
/// How long the record of an upload is kept after it expired.
const UPLOAD_LIFETIME: Millis = 30 * DAY;

/// How long a worker that looks for work waits for the folders.
const SWEEP_TIMEOUT: Duration = Duration::from_secs(10);

/// Runs the cleanup. Whatever is interrupted is done in the next hour.
pub async fn run(content: Content) -> Result<(), JobError> {
    let now = content.ambient.now();
    remove_stale_drafts(&content, now).await?;
    purge_deleted(&content, now).await?;
    store::grant::prune(&content.db, now).await?;
    store::upload::prune(&content.db, now - UPLOAD_LIFETIME).await?;
    super::give_up::run(&content, now).await?;
    remove_expired_resumables(&content, now).await?;
    sweep(&content).await?;
    remove_unreferenced(&content, now).await
}

/// Removes what killed processes left behind in the folders, and returns whether [`run`] would change any row. The
/// folders are swept here because that needs no row: an idle server sweeps them without a write to the database.
pub async fn sweep_and_ask(content: Content) -> Result<bool, DbErr> {
    match tokio::time::timeout(SWEEP_TIMEOUT, sweep(&content)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(?error, "folders could not be swept; the next try is in an hour"),
        Err(_) => tracing::warn!("folders could not be swept in time; the next try is in an hour"),
    }
    has_work(&content).await
}

async fn has_work(content: &Content) -> Result<bool, DbErr> {
    let (conn, now) = (content.db.read(), content.ambient.now());
    Ok(store::draft::any_stale_draft(conn, now - DRAFT_LIFETIME).await?
        || store::content::any_unpurged(conn, now - DELETED_LIFETIME).await?
        || store::grant::any_expired(conn, now).await?
        || store::upload::any_prunable(conn, now - UPLOAD_LIFETIME).await?
        || store::resumable::any_expired(conn, now).await?
        || store::object::any_unreferenced(conn, now - UNREFERENCED_LIFETIME).await?
        || super::give_up::has_work(content, now).await?)
}

async fn sweep(content: &Content) -> Result<(), JobError> {
    let kept = store::resumable::uids(content.db.read()).await?;
    let staged = content.storage.sweep(DAY, kept).await?;
    let media = content.media.clone();
    let folders = tokio::task::spawn_blocking(move || media.sweep()).await??;
    if staged > 0 || folders > 0 {
        tracing::info!(staged, folders, "removed what killed processes left behind");
    }
    Ok(())
}

async fn remove_stale_drafts(content: &Content, now: Timestamp) -> Result<(), JobError> {
    for item in store::draft::stale_drafts(content.db.read(), now - DRAFT_LIFETIME).await? {
        let tx = content.db.write_tx_on(item.org).await?;
        // The upload of a large file may take longer than a day.
        if store::upload::has_pending(&tx, item.uid, now).await? {
            continue;
        }
        if store::draft::remove_draft(&tx, item.uid, now).await? {
            content.playlists.remove_item(&tx, item.org, item.uid).await?;
            store::upload::remove_of(&tx, item.uid).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

/// Removes what was received of resumable uploads that expired.
async fn remove_expired_resumables(content: &Content, now: Timestamp) -> Result<(), JobError> {
    for (uid, progress) in store::resumable::expired(content.db.read(), now).await? {
        // Bytes first, as everywhere in this file.
        if let Some(progress) = progress {
            content.storage.discard(uid, &progress).await?;
        }
        let tx = content.db.write_tx().await?;
        store::resumable::remove(&tx, uid).await?;
        store::object::remove(&tx, &staged_path(uid)).await?;
        tx.commit().await?;
    }
    Ok(())
}

async fn purge_deleted(content: &Content, now: Timestamp) -> Result<(), JobError> {
    for item in store::content::unpurged(content.db.read(), now - DELETED_LIFETIME).await? {
        erase_content(content, item.org, item.uid).await?;
    }
    Ok(())
}

/// Removes the files of a deleted item.
pub async fn erase_content(content: &Content, org: OrgId, id: ContentId) -> Result<(), JobError> {
    // Bytes first: if the process dies in between, they are removed again, which does no harm.
    content.storage.delete_content(org, id).await?;
    let tx = content.db.write_tx_on(org).await?;
    store::grant::remove_of(&tx, id).await?;
    store::upload::remove_of(&tx, id).await?;
    store::object::remove_of(&tx, id).await?;
    store::content::set_purged(&tx, id, content.ambient.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes objects that no row refers to, because their process died or the database failed first.
async fn remove_unreferenced(content: &Content, now: Timestamp) -> Result<(), JobError> {
    let before = now - UNREFERENCED_LIFETIME;
    for object in store::object::unreferenced(content.db.read(), before).await? {
        if object.kind == ObjectKind::Staged {
            remove_staged_record(content, &object.path).await?;
        } else if let Some(key) = Key::parse(&object.path)
            && claim(content, &object, before, now).await?
        {
            content.erase(&key).await?;
        }
    }
    Ok(())
}

/// Ensures that no request will refer to an object later. Returns false if a row refers to it by now.
async fn claim(
    content: &Content,
    object: &StoredObject,
    before: Timestamp,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let tx = match object.org {
        Some(org) => content.db.write_tx_on(org).await?,
        None => content.db.write_tx().await?,
    };
    if let Some(upload) = object.upload {
        let (reason, received) = (RejectReason::Abandoned, ReceivedBytes::Unknown);
        store::upload::reject(&tx, upload, reason, received, now).await?;
    }
    if !store::object::is_unreferenced(&tx, &object.path, before).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Removes the record of a resumable upload's bytes, which were swept, unless the upload still exists.
async fn remove_staged_record(content: &Content, path: &str) -> Result<(), DbErr> {
    let tx = content.db.write_tx().await?;
    let uid = path.rsplit('/').next().and_then(|text| text.parse::<ResumableId>().ok());
    let exists = match uid {
        Some(uid) => store::resumable::by_uid(&tx, uid).await?.is_some(),
        None => false,
    };
    if !exists {
        store::object::remove(&tx, path).await?;
    }
    tx.commit().await
}
