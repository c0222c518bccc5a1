//! Limits of watch time, against forged events. What is over them is kept with the reason `cap`.

use kernel::{HOUR, MINUTE, Millis, Timestamp};

/// Most watch time of one person in one organisation and one hour of the clock.
pub const PERSON_HOUR_MAX: Millis = 2 * HOUR;
/// Watch time of a view beyond four times the length.
const VIEW_EXTRA: Millis = MINUTE;
/// Delay after which watch time is late.
pub const LATE: Millis = 10 * MINUTE;

/// Returns the most watch time of a view of an item with this length in milliseconds.
pub fn of_view(duration_ms: Millis) -> Millis {
    duration_ms.saturating_mul(4).saturating_add(VIEW_EXTRA)
}

/// Returns how much of `credit_ms` counts. `hour_ms` is what the person already has in that hour, and `joined` when the
/// person joined.
pub fn counted(credit_ms: Millis, hour_ms: Millis, at: Timestamp, joined: Timestamp) -> Millis {
    if at < joined { 0 } else { credit_ms.min(PERSON_HOUR_MAX - hour_ms).max(0) }
}

/// Returns whether something that happened at `at` arrived late.
pub fn is_late(at: Timestamp, received_at: Timestamp) -> bool {
    received_at - at > LATE
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Timestamp = Timestamp::from_ms(1_800_000_000_000);

    #[test]
    fn a_view_is_limited_by_the_length_and_an_hour_by_two() {
        assert_eq!(of_view(10 * MINUTE), 41 * MINUTE);
        assert_eq!(counted(MINUTE, 0, T, T), MINUTE);
        assert_eq!(counted(MINUTE, 2 * HOUR - 1, T, T), 1);
        assert_eq!(counted(MINUTE, 3 * HOUR, T, T), 0);
        assert_eq!(counted(MINUTE, 0, T - 1, T), 0, "before the person joined");
    }

    #[test]
    fn watch_time_is_late_after_ten_minutes() {
        assert!(!is_late(T - LATE, T));
        assert!(is_late(T - LATE - 1, T));
    }
}
