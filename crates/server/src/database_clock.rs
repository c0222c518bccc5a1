//! Follows the clock of a database that several servers share, so that they agree on leases, limits and expiry whatever their own
//! clocks say. SQLite has one server, and its clock counts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use db::{ClockDifference, Db};
use kernel::{Clock as _, FollowingClock, MINUTE, Millis, SECOND, SystemClock};
use sea_orm::DbErr;
use tokio_util::sync::CancellationToken;

/// How often the correction is measured.
const EVERY: Duration = Duration::from_mins(1);
/// How often it is checked whether this machine's clock was set.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// A change that may be the network's doing.
const JITTER: Millis = 50;
/// A difference that deserves a line in the log.
const NOTABLE: Millis = 2 * SECOND;

/// A difference with which no process starts: one of the two clocks was never set, and what is stored with the wrong one stays.
const FAR_OFF: Millis = MINUTE;

/// Measures the difference of the clocks once, and corrects `clock` by it.
///
/// # Errors
/// Fails if the database cannot be reached.
pub(crate) async fn follow(db: &Db, clock: &FollowingClock) -> Result<(), DbErr> {
    if let Some(measured) = db.clock_ahead_of(&SystemClock).await? {
        correct(clock, measured);
    }
    Ok(())
}

/// Returns what is wrong with the clock of this machine, as a sentence, if it was far off the database's when that was measured.
pub(crate) fn problem(clock: &FollowingClock) -> Option<String> {
    let ahead = -clock.correction();
    let side = if ahead > 0 { "ahead of" } else { "behind" };
    (ahead.abs() > FAR_OFF).then(|| {
        format!(
            "the clock of this machine is {} seconds {side} the database's. Set the one that is wrong, such as with \
             timedatectl, and start again",
            (ahead.abs() + SECOND / 2) / SECOND
        )
    })
}

/// Applies a measurement, unless the correction is as good.
fn correct(clock: &FollowingClock, ClockDifference { ahead, error }: ClockDifference) {
    let before = clock.correction();
    let change = (ahead - before).abs();
    if change <= JITTER + error {
        return;
    }
    clock.follow(ahead);
    if ahead.abs() >= NOTABLE && (before.abs() < NOTABLE || change >= NOTABLE) {
        tracing::warn!(ahead_ms = ahead, "the database's clock differs from this machine's and is followed");
    }
}

/// Keeps following until `stop`: every minute, and at once when this machine's clock is set. While the database does not
/// answer, the last correction stays.
pub(crate) async fn keep_following(db: Db, clock: Arc<FollowingClock>, stop: CancellationToken) {
    let mut is_reported = false;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = until_due() => {}
        }
        match follow(&db, &clock).await {
            Ok(()) => is_reported = false,
            Err(error) if !is_reported => {
                is_reported = true;
                tracing::warn!(%error, "the database's clock could not be read; the last correction stays");
            }
            Err(_) => {}
        }
    }
}

/// Waits for a minute, or until this machine's clock was set.
async fn until_due() {
    let (started, began) = (Instant::now(), SystemClock.now());
    while started.elapsed() < EVERY {
        tokio::time::sleep(CHECK_EVERY).await;
        let passed = Millis::try_from(started.elapsed().as_millis()).unwrap_or(Millis::MAX);
        if (SystemClock.now() - began - passed).abs() > JITTER {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_more_than_a_minute_off_is_a_problem() {
        let clock = FollowingClock::default();
        let with = |correction| {
            clock.follow(correction);
            problem(&clock)
        };
        assert_eq!((with(0), with(MINUTE), with(-MINUTE)), (None, None, None));
        assert!(with(-90 * SECOND).unwrap().contains("is 90 seconds ahead of the database's"));
        assert!(with(90 * SECOND).unwrap().contains("is 90 seconds behind the database's"));
    }

    #[test]
    fn a_difference_is_followed_unless_the_measurement_is_too_rough_for_it() {
        let clock = FollowingClock::default();
        let after = |ahead, error| {
            correct(&clock, ClockDifference { ahead, error });
            clock.correction()
        };
        assert_eq!(after(-90_000, 3), -90_000);
        assert_eq!(after(-89_960, 3), -90_000, "jitter");
        assert_eq!(after(-89_000, 1_000), -90_000, "the answer took two seconds");
        assert_eq!(after(-89_000, 3), -89_000);
        assert_eq!(after(0, 3), 0, "the machine's clock was set right");
        assert!((clock.now() - SystemClock.now()).abs() < SECOND);
    }
}
