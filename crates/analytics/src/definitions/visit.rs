//! Visits: the activity of one person in one organisation without a long pause.

use kernel::Timestamp;

use super::{DELAY_MAX, VISIT_IDLE_MAX, VISIT_MAX};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Visit {
    /// Time of the first event.
    began_at: Timestamp,
    /// Time of the latest event.
    last_at: Timestamp,
}

/// A person's visits of the days from which events are accepted; stored as `1000-5000,90000-90000`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits(Vec<Visit>);

impl Visits {
    /// Parses the stored text; returns `None` if it is invalid.
    pub fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let visits = text.split(',').map(|part| {
            let (began_at, last_at) = part.split_once('-')?;
            let time = |text: &str| text.parse().ok().map(Timestamp::from_ms);
            Some(Visit { began_at: time(began_at)?, last_at: time(last_at)? })
        });
        visits.collect::<Option<_>>().map(Self)
    }

    /// Returns the stored form.
    pub fn text(&self) -> String {
        let visits: Vec<String> =
            self.0.iter().map(|visit| format!("{}-{}", visit.began_at.ms(), visit.last_at.ms())).collect();
        visits.join(",")
    }

    /// Adds an event by its own time. Returns whether it starts a visit. A visit that was counted stays counted, also if
    /// a late event fills the pause before it.
    pub fn add(&mut self, at: Timestamp) -> bool {
        if let Some(visit) = self.0.iter_mut().rev().find(|visit| visit.continues_at(at)) {
            visit.began_at = visit.began_at.min(at);
            visit.last_at = visit.last_at.max(at);
            return false;
        }
        let index = self.0.partition_point(|visit| visit.began_at < at);
        self.0.insert(index, Visit { began_at: at, last_at: at });
        let newest = self.0.iter().map(|visit| visit.last_at).max().unwrap_or(at);
        self.0.retain(|visit| newest - visit.last_at <= DELAY_MAX + VISIT_MAX);
        true
    }
}

impl Visit {
    fn continues_at(&self, at: Timestamp) -> bool {
        at - self.last_at < VISIT_IDLE_MAX
            && self.began_at - at < VISIT_IDLE_MAX
            && at - self.began_at < VISIT_MAX
            && self.last_at - at < VISIT_MAX
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

    fn count(times: &[i64]) -> usize {
        let mut visits = Visits::default();
        times.iter().filter(|at| visits.add(at_ms(**at))).count()
    }

    #[test]
    fn half_an_hour_of_inactivity_starts_a_new_visit() {
        assert_eq!(count(&[0, 30 * MINUTE - 1, 60 * MINUTE - 2]), 1, "inactivity counts from the last event");
        assert_eq!(count(&[0, 30 * MINUTE]), 2);
    }

    #[test]
    fn a_visit_ends_after_a_day_even_without_a_pause() {
        let times: Vec<i64> = (0..=25 * HOUR).step_by(usize::try_from(20 * MINUTE).unwrap()).collect();
        assert_eq!(count(&times), 2);
    }

    #[test]
    fn late_events_start_visits_of_their_own_time() {
        assert_eq!(count(&[10 * HOUR, 2 * HOUR]), 2);
        assert_eq!(count(&[10 * HOUR, 2 * HOUR, 2 * HOUR + MINUTE, 10 * HOUR - MINUTE]), 2);
    }

    #[test]
    fn visits_are_remembered_while_late_events_can_arrive() {
        let mut visits = Visits::default();
        visits.add(at_ms(0));
        visits.add(at_ms(3 * DAY));
        assert!(!visits.add(at_ms(MINUTE)));
        visits.add(at_ms(9 * DAY));
        assert_eq!(visits.text(), format!("{0}-{0}", 9 * DAY));
        assert_eq!(Visits::read(&visits.text()), Some(visits));
        assert_eq!(Visits::read("5"), None);
    }
}
