//! Clears up, every hour: drafts whose file never came, bytes of what was deleted 30 days ago, addresses and
//! uploads whose time is over, and what killed processes left behind.

use jobs::Failure;
use kernel::{DAY, Millis};

use crate::{Content, store};

/// How long a draft waits for its file (G-77, R-26).
const DRAFT_LIFE: Millis = DAY;
/// How long the bytes of a deleted content are kept (S-31).
const DELETED_LIFE: Millis = 30 * DAY;
/// How long the record of an upload is kept.
const UPLOAD_LIFE: Millis = 30 * DAY;

/// Clears up. Whatever is interrupted is done in the next hour.
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
        // A large file may be on its way for longer than a day.
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

/// What came of files whose sender stayed away.
async fn resumables(room: &Content, now: Millis) -> Result<(), Failure> {
    for (uid, progress) in store::resumable::expired(room.db.read(), now).await? {
        // Bytes first, as everywhere here.
        if let Some(progress) = progress {
            room.storage.discard(uid, &progress).await?;
        }
        let tx = room.db.write_tx().await?;
        store::resumable::remove(&tx, uid).await?;
        tx.commit().await?;
    }
    Ok(())
}

async fn deleted(room: &Content, now: Millis) -> Result<(), Failure> {
    for item in store::content::unpurged(room.db.read(), now - DELETED_LIFE).await? {
        // Bytes first: should the process die in between, they are removed once more, which does no harm.
        room.storage.delete_content(item.org, item.uid).await?;
        let tx = room.db.write_tx_on(item.org).await?;
        store::grant::remove_of(&tx, item.uid).await?;
        store::upload::remove_of(&tx, item.uid).await?;
        store::content::set_purged(&tx, item.uid, now).await?;
        tx.commit().await?;
    }
    Ok(())
}
