//! The definitions behind every number (rules 4b, R-01, R-02, R-22, R-32). Pure: no async, no SQL, no HTTP.
//!
//! - **Beat**: a player's report, every ten seconds and whenever playing stops, of the section it has shown.
//! - **Purse**: the time that really passed while a view sent beats. A beat credits at most what is in it.
//! - **Credit**: time watched. It always counts, whatever becomes of the view.
//! - **View**: counted once its credit reaches the threshold; the same person and content only an hour after
//!   the last counted view began.
//! - **Coverage**: the share of a content that was seen.
//! - **Visit**: what a person does without half an hour of silence, for at most a day.

pub mod bots;
pub mod spans;
pub mod view;
pub mod visit;

use kernel::{DAY, HOUR, MINUTE, Millis, SECOND};

/// Beats may come this late; they are booked on their own day.
pub const LATEST: Millis = 72 * HOUR;
/// A clock may run ahead by this much; what claims to be later is refused.
pub const AHEAD: Millis = MINUTE;
/// Silence after which time is not counted as watched.
pub const GAP: Millis = 30 * SECOND;
/// What a purse holds at the beginning, for the time a beat travels.
pub const PURSE_START: Millis = 2 * SECOND;
/// The fastest playing that is believed.
pub const RATE_MAX: f64 = 4.0;
/// Credit that makes a view of anything longer than twice this.
pub const VIEW_CREDIT: Millis = 10 * SECOND;
/// The same person and content count again this long after the last counted view began.
pub const VIEW_AGAIN: Millis = HOUR;
/// Sections kept of a view; beyond it the nearest ones are merged.
pub const SECTIONS_MAX: usize = 100;
/// Silence after which a new visit begins.
pub const VISIT_SILENCE: Millis = 30 * MINUTE;
/// The longest visit.
pub const VISIT_MAX: Millis = DAY;

/// The time an event is booked at: its own, but never later than now. `None` when it claims to be from the
/// future or is older than three days.
pub fn booked_at(own: Millis, now: Millis) -> Option<Millis> {
    (own <= now + AHEAD && own >= now - LATEST).then_some(own.min(now))
}

/// The UTC day of a time, counted from the epoch.
pub fn day_of(at: Millis) -> i64 {
    at.div_euclid(DAY)
}

/// The UTC hour of a time, counted from the epoch.
pub fn hour_of(at: Millis) -> i64 {
    at.div_euclid(HOUR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_neither_from_the_future_nor_older_than_three_days() {
        let now = 1_800_000_000_000;
        assert_eq!(booked_at(now - LATEST, now), Some(now - LATEST));
        assert_eq!(booked_at(now - LATEST - 1, now), None);
        assert_eq!(booked_at(now + AHEAD, now), Some(now), "a clock that runs ahead is set right");
        assert_eq!(booked_at(now + AHEAD + 1, now), None);
    }
}
