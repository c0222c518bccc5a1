//! Follows the clock of a database that several servers share, so that they agree on leases, limits and expiry whatever their own
//! clocks say. SQLite has one server, and its clock counts.

use std::sync::Arc;
use std::time::Duration;

use db::Db;
use kernel::{FollowingClock, Millis, SECOND, SystemClock};
use sea_orm::DbErr;
use tokio_util::sync::CancellationToken;

/// How often the correction is measured.
const EVERY: Duration = Duration::from_secs(60);
/// A change that may be the network's doing.
const JITTER: Millis = 50;
/// A difference that deserves a line in the log.
const NOTABLE: Millis = 2 * SECOND;

/// Measures the difference of the clocks once, and corrects `clock` by it.
///
/// # Errors
/// Fails if the database cannot be reached.
pub(crate) async fn follow(db: &Db, clock: &FollowingClock) -> Result<(), DbErr> {
    let Some(ahead) = db.clock_ahead_of(&SystemClock).await? else { return Ok(()) };
    let before = clock.correction();
    if (ahead - before).abs() <= JITTER {
        return Ok(());
    }
    clock.follow(ahead);
    if ahead.abs() >= NOTABLE && (ahead - before).abs() >= NOTABLE {
        tracing::warn!(ahead_ms = ahead, "the database's clock differs from this machine's and is followed");
    }
    Ok(())
}

/// Keeps following until `stop`. While the database does not answer, the last correction stays.
pub(crate) async fn keep_following(db: Db, clock: Arc<FollowingClock>, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        if let Err(error) = follow(&db, &clock).await {
            tracing::debug!(%error, "the database did not tell its time");
        }
    }
}
