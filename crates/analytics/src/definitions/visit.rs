//! Visits: the activity of one person in one organisation without a long pause.

use kernel::Timestamp;

use super::{VISIT_IDLE_MAX, VISIT_MAX};

/// A person's current visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Time of the first event.
    pub began_at: Timestamp,
    /// Time of the latest event.
    pub last_at: Timestamp,
}

/// Returns the visit that an event at `at` belongs to, and whether the event starts it. An event from before
/// the current visit arrived late and does not start a new one.
pub fn visit_at(current: Option<Visit>, at: Timestamp) -> (Visit, bool) {
    match current {
        Some(visit) if at <= visit.last_at => (visit, false),
        Some(visit) if at - visit.last_at < VISIT_IDLE_MAX && at - visit.began_at < VISIT_MAX => {
            (Visit { last_at: at, ..visit }, false)
        }
        _ => (Visit { began_at: at, last_at: at }, true),
    }
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, HOUR, MINUTE};

    use super::*;

    /// Returns the instant this many milliseconds after the epoch.
    const fn at_ms(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    #[test]
    fn half_an_hour_of_inactivity_starts_a_new_visit() {
        let (visit, new) = visit_at(None, Timestamp::EPOCH);
        assert!(new);
        let (visit, new) = visit_at(Some(visit), at_ms(30 * MINUTE - 1));
        assert!(!new);
        let (visit, new) = visit_at(Some(visit), at_ms(60 * MINUTE - 2));
        assert!(!new, "inactivity counts from the last event");
        let (visit, new) = visit_at(Some(visit), visit.last_at + 30 * MINUTE);
        assert!(new);
        assert_eq!(visit.began_at, visit.last_at);
    }

    #[test]
    fn a_visit_ends_after_a_day_even_without_a_pause() {
        let mut visit = visit_at(None, Timestamp::EPOCH).0;
        let mut visits = 1;
        for at in (1..=25 * HOUR).step_by(usize::try_from(20 * MINUTE).unwrap()) {
            let (next, new) = visit_at(Some(visit), at_ms(at));
            visit = next;
            visits += i32::from(new);
        }
        assert_eq!(visits, 2);
        assert!(visit.began_at >= at_ms(DAY));
    }

    #[test]
    fn a_late_event_starts_no_visit() {
        let visit = Visit { began_at: at_ms(10 * HOUR), last_at: at_ms(11 * HOUR) };
        assert_eq!(visit_at(Some(visit), at_ms(2 * HOUR)), (visit, false));
    }
}
