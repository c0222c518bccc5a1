//! Removes playlists that were deleted 30 days ago.

use ::jobs::JobError;
use sea_orm::DbErr;

use crate::model::DELETED_LIFETIME;
use crate::{Playlists, store};

/// Playlists removed in one transaction.
const BATCH: u64 = 500;

/// Returns whether there is anything to remove.
pub async fn has_work(playlists: &Playlists) -> Result<bool, DbErr> {
    store::deleted::has_old(playlists.db.read(), playlists.ambient.now() - DELETED_LIFETIME).await
}

pub async fn run(playlists: &Playlists) -> Result<(), JobError> {
    let before = playlists.ambient.now() - DELETED_LIFETIME;
    loop {
        let tx = playlists.db.write_tx().await?;
        let removed = store::deleted::remove_old(&tx, before, BATCH).await?;
        tx.commit().await?;
        if removed < BATCH {
            return Ok(());
        }
    }
}
