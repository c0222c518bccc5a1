//! Moves the events of old days into the storage, and removes what is no longer kept there.

use ::jobs::JobError;
use sea_orm::DbErr;

use crate::Analytics;

/// Returns whether there is anything to move or remove.
pub async fn has_work(analytics: Analytics) -> Result<bool, DbErr> {
    analytics.has_events_to_archive().await
}

/// Moves and removes it.
pub async fn run(analytics: Analytics) -> Result<(), JobError> {
    let done = analytics.archive_events().await;
    if let Err(error) = &done {
        tracing::error!(%error, "events could not be archived and stay in the database");
    }
    Ok(done?)
}
