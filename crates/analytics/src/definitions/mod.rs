//! The definitions behind every number; `docs/definitions.md` explains them to users. No async, no SQL, no
//! HTTP.
//!
//! - **Beat**: a player's report of the section it has played, every ten seconds and whenever playback stops.
//! - **Watch budget**: the time between neighbouring beats of a view.
//! - **Credit**: time watched: what the beats claim, at most the watch budget. It always counts, whether or not
//!   the view does, up to the limits in [`caps`].
//! - **View**: counts once its credit reaches the threshold or its item is downloaded, if no view of the same person
//!   and content item counted within an hour before or after it.
//! - **Coverage**: the share of a content item that was watched at least once.
//! - **Visit**: the activity of a person without a pause of half an hour, for at most a day.
//! - **Hour**, **day**: of the organisation's time zone; each is named by the instant at which it starts.

pub mod beats;
pub mod bots;
pub mod caps;
pub mod countries;
pub mod devices;
pub mod spans;
pub mod view;
pub mod visit;
pub mod zone;

use kernel::{DAY, HOUR, MINUTE, Millis, SECOND, Timestamp};

/// Maximum delay of an event; late events are counted at the time they happened.
pub const DELAY_MAX: Millis = 72 * HOUR;
/// Tolerance for clocks that run ahead; events with a later time are rejected.
pub const CLOCK_SKEW_MAX: Millis = MINUTE;
/// Difference between a client's clock and the server's that is left to the network.
pub const CLOCK_TOLERANCE: Millis = 2 * SECOND;
/// Longest pause between two beats that still counts as watched.
pub const GAP_MAX: Millis = 30 * SECOND;
/// Initial watch budget of a view, to allow for network latency.
pub const WATCH_BUDGET_START: Millis = 2 * SECOND;
/// Lowest and highest playback rate; others are cut to them.
pub const RATES: std::ops::RangeInclusive<f64> = 0.25..=4.0;
/// Credit at which a view counts; half the length for items shorter than twice this.
pub const VIEW_CREDIT: Millis = 10 * SECOND;
/// Time between the starts of two counted views of the same person and content item.
pub const VIEW_AGAIN: Millis = HOUR;
/// Maximum number of sections stored per view; beyond it the nearest ones are merged.
pub const SECTIONS_MAX: usize = 100;
/// Inactivity after which a new visit starts.
pub const VISIT_IDLE_MAX: Millis = 30 * MINUTE;
/// Maximum length of a visit.
pub const VISIT_MAX: Millis = DAY;
/// How long events and views are kept unless another time is set.
pub const HISTORY_KEPT: Millis = 396 * DAY;
/// How long names of viewers without consent, and what they are needed for, are kept.
pub const NAMES_KEPT_DAYS: i64 = 4;

/// Returns the time by the server's clock of an event that a client timed with its own clock. `sent_at` is when the
/// client sent it, by the same clock.
pub fn corrected_time(reported: Timestamp, sent_at: Option<Timestamp>, received_at: Timestamp) -> Timestamp {
    let behind = sent_at.map_or(0, |sent_at| received_at - sent_at);
    if behind.abs() > CLOCK_TOLERANCE { reported + behind } else { reported }
}

/// Returns the time an event is counted at: its own, but never later than now. Returns `None` if the time is
/// in the future (beyond [`CLOCK_SKEW_MAX`]) or more than three days in the past.
pub fn effective_time(reported: Timestamp, now: Timestamp) -> Option<Timestamp> {
    (reported <= now + CLOCK_SKEW_MAX && reported >= now - DELAY_MAX).then_some(reported.min(now))
}

/// Returns the UTC day of a time, counted from the epoch.
pub fn day_of(at: Timestamp) -> i64 {
    at.days()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

    #[test]
    fn an_event_is_neither_from_the_future_nor_older_than_three_days() {
        assert_eq!(effective_time(NOW - DELAY_MAX, NOW), Some(NOW - DELAY_MAX));
        assert_eq!(effective_time(NOW - DELAY_MAX - 1, NOW), None);
        assert_eq!(
            effective_time(NOW + CLOCK_SKEW_MAX, NOW),
            Some(NOW),
            "a clock that runs ahead is corrected"
        );
        assert_eq!(effective_time(NOW + CLOCK_SKEW_MAX + 1, NOW), None);
    }

    #[test]
    fn a_clock_that_is_off_is_corrected_by_the_time_of_sending() {
        let year = 366 * DAY;
        assert_eq!(corrected_time(NOW - MINUTE, None, NOW), NOW - MINUTE);
        assert_eq!(corrected_time(NOW - MINUTE, Some(NOW - 400), NOW), NOW - MINUTE, "the network's delay");
        assert_eq!(corrected_time(NOW + year - MINUTE, Some(NOW + year), NOW), NOW - MINUTE);
        assert_eq!(corrected_time(NOW - year - MINUTE, Some(NOW - year), NOW), NOW - MINUTE);
    }
}
