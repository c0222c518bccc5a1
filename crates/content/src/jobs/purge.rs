//! The hourly cleanup: expired drafts, files of items deleted 30 days ago, expired addresses and uploads,
//! objects that no row refers to, and what killed processes left behind.

use jobs::Failure;
use kernel::{DAY, Millis, Uid};
use sea_orm::DbErr;
use storage::Key;

use crate::model::UploadStatus;
use crate::objects::staged_path;
use crate::store::object::{ObjectKind, StoredObject};
use crate::{Content, release, store};

/// How long a draft waits for its file.
const DRAFT_LIFE: Millis = DAY;
/// How long the files of a deleted item are kept.
const DELETED_LIFE: Millis = 30 * DAY;
/// How long an object may exist without a row that refers to it.
const UNNAMED_LIFE: Millis = DAY;
/// How long the record of an upload is kept after it expired.
const UPLOAD_LIFE: Millis = 30 * DAY;

/// Runs the cleanup. Whatever is interrupted is done in the next hour.
pub async fn run(room: Content) -> Result<(), Failure> {
    let now = room.ambient.now();
    drafts(&room, now).await?;
    deleted(&room, now).await?;
    let tx = room.db.write_tx().await?;
    store::grant::prune(&tx, now).await?;
    store::upload::prune(&tx, now - UPLOAD_LIFE).await?;
    tx.commit().await?;
    super::give_up::run(&room, now).await?;
    resumables(&room, now).await?;
    let kept = store::resumable::uids(room.db.read()).await?;
    let staged = room.storage.sweep(DAY, kept).await?;
    unnamed(&room, now).await?;
    let media = room.media.clone();
    let folders = tokio::task::spawn_blocking(move || media.sweep()).await??;
    if staged > 0 || folders > 0 {
        tracing::info!(staged, folders, "removed what killed processes left behind");
    }
    Ok(())
}

async fn drafts(room: &Content, now: Millis) -> Result<(), Failure> {
    for item in store::content::stale_drafts(room.db.read(), now - DRAFT_LIFE).await? {
        let tx = room.db.write_tx_on(item.org).await?;
        // The upload of a large file may take longer than a day.
        if store::upload::is_awaited(&tx, item.uid, now).await? {
            continue;
        }
        if store::content::remove_draft(&tx, item.uid, now).await? {
            room.shelves.forget(&tx, item.org, item.uid).await?;
            store::upload::remove_of(&tx, item.uid).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

/// Removes what was received of resumable uploads that expired.
async fn resumables(room: &Content, now: Millis) -> Result<(), Failure> {
    for (uid, progress) in store::resumable::expired(room.db.read(), now).await? {
        // Bytes first, as everywhere in this file.
        if let Some(progress) = progress {
            room.storage.discard(uid, &progress).await?;
        }
        let tx = room.db.write_tx().await?;
        store::resumable::remove(&tx, uid).await?;
        store::object::remove(&tx, &staged_path(uid)).await?;
        tx.commit().await?;
    }
    Ok(())
}

async fn deleted(room: &Content, now: Millis) -> Result<(), Failure> {
    for item in store::content::unpurged(room.db.read(), now - DELETED_LIFE).await? {
        erase_content(room, item.org, item.uid).await?;
    }
    Ok(())
}

/// Removes the files of a deleted item.
pub async fn erase_content(room: &Content, org: Uid, content: Uid) -> Result<(), Failure> {
    // Bytes first: if the process dies in between, they are removed again, which does no harm.
    room.storage.delete_content(org, content).await?;
    let tx = room.db.write_tx_on(org).await?;
    store::grant::remove_of(&tx, content).await?;
    store::upload::remove_of(&tx, content).await?;
    store::object::remove_of(&tx, content).await?;
    store::content::set_purged(&tx, content, room.ambient.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes objects that no row refers to, because their process died or the database failed first.
async fn unnamed(room: &Content, now: Millis) -> Result<(), Failure> {
    let before = now - UNNAMED_LIFE;
    for object in store::object::unnamed(room.db.read(), before).await? {
        if object.kind == ObjectKind::Staged {
            forget_staged(room, &object.path).await?;
        } else if let Some(key) = Key::parse(&object.path)
            && claim(room, &object, before, now).await?
        {
            room.erase(&key).await?;
        }
    }
    Ok(())
}

/// Ensures that no request will refer to an object later. Returns false if a row refers to it by now.
async fn claim(room: &Content, object: &StoredObject, before: Millis, now: Millis) -> Result<bool, DbErr> {
    let tx = match object.org {
        Some(org) => room.db.write_tx_on(org).await?,
        None => room.db.write_tx().await?,
    };
    if let Some(upload) = object.upload {
        let reason = Some(release::ABANDONED);
        store::upload::finish(&tx, upload, UploadStatus::Rejected, reason, None, now).await?;
    }
    if !store::object::is_unnamed(&tx, &object.path, before).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Removes the record of a resumable upload's bytes, which were swept, unless the upload still exists.
async fn forget_staged(room: &Content, path: &str) -> Result<(), DbErr> {
    let tx = room.db.write_tx().await?;
    let place = path.rsplit('/').next().and_then(|text| text.parse::<Uid>().ok());
    let goes_on = match place {
        Some(place) => store::resumable::by_uid(&tx, place).await?.is_some(),
        None => false,
    };
    if !goes_on {
        store::object::remove(&tx, path).await?;
    }
    tx.commit().await
}
