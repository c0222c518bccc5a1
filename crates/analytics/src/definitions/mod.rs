//! The definitions behind every number; `docs/definitions.md` explains them to users. No async, no SQL, no
//! HTTP.
//!
//! - **Beat**: a player's report of the section it has played, every ten seconds and whenever playback stops.
//! - **Watch budget**: the wall time that passed while a view sent beats. A beat is credited with at most
//!   what is left of it.
//! - **Credit**: time watched. It always counts, whether or not the view does.
//! - **View**: counts once its credit reaches the threshold; for the same person and content item again only
//!   an hour after the start of the last counted view.
//! - **Coverage**: the share of a content item that was watched at least once.
//! - **Visit**: the activity of a person without a pause of half an hour, for at most a day.

pub mod bots;
pub mod spans;
pub mod view;
pub mod visit;

use kernel::{DAY, HOUR, MINUTE, Millis, SECOND, Timestamp};

/// Maximum delay of an event; late events are counted on the day they happened.
pub const DELAY_MAX: Millis = 72 * HOUR;
/// Tolerance for clocks that run ahead; events with a later time are rejected.
pub const CLOCK_SKEW_MAX: Millis = MINUTE;
/// Longest pause between two beats that still counts as watched.
pub const GAP_MAX: Millis = 30 * SECOND;
/// Initial watch budget of a view, to allow for network latency.
pub const WATCH_BUDGET_START: Millis = 2 * SECOND;
/// Highest accepted playback rate.
pub const RATE_MAX: f64 = 4.0;
/// Credit at which a view counts; half the length for items shorter than twice this.
pub const VIEW_CREDIT: Millis = 10 * SECOND;
/// Time after the start of a counted view until the same person and content item can count again.
pub const VIEW_AGAIN: Millis = HOUR;
/// Maximum number of sections stored per view; beyond it the nearest ones are merged.
pub const SECTIONS_MAX: usize = 100;
/// Inactivity after which a new visit starts.
pub const VISIT_IDLE_MAX: Millis = 30 * MINUTE;
/// Maximum length of a visit.
pub const VISIT_MAX: Millis = DAY;

/// Returns the time an event is counted at: its own, but never later than now. Returns `None` if the time is
/// in the future (beyond [`CLOCK_SKEW_MAX`]) or more than three days in the past.
pub fn effective_time(reported: Timestamp, now: Timestamp) -> Option<Timestamp> {
    (reported <= now + CLOCK_SKEW_MAX && reported >= now - DELAY_MAX).then_some(reported.min(now))
}

/// Returns the UTC day of a time, counted from the epoch.
pub fn day_of(at: Timestamp) -> i64 {
    at.days()
}

/// Returns the UTC hour of a time, counted from the epoch.
pub fn hour_of(at: Timestamp) -> i64 {
    at.ms().div_euclid(HOUR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_neither_from_the_future_nor_older_than_three_days() {
        let now = Timestamp::from_ms(1_800_000_000_000);
        assert_eq!(effective_time(now - DELAY_MAX, now), Some(now - DELAY_MAX));
        assert_eq!(effective_time(now - DELAY_MAX - 1, now), None);
        assert_eq!(
            effective_time(now + CLOCK_SKEW_MAX, now),
            Some(now),
            "a clock that runs ahead is corrected"
        );
        assert_eq!(effective_time(now + CLOCK_SKEW_MAX + 1, now), None);
    }
}
