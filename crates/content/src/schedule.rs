//! The dates between which app users may see a content item or a playlist.

use kernel::{Patch, Problem, Timestamp, from_iso};

/// 2000-01-01T00:00:00Z, the first date that can be set.
const EARLIEST: Timestamp = Timestamp::from_ms(946_684_800_000);
/// 2100-01-01T00:00:00Z, the end of the dates that can be set.
const LATEST: Timestamp = Timestamp::from_ms(4_102_444_800_000);

/// When app users may see a content item or a playlist that is open to them otherwise. Staff are not concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The first instant; `None` for no beginning.
    pub publish_at: Option<Timestamp>,
    /// The first instant at which it is over; `None` for no end.
    pub expire_at: Option<Timestamp>,
}

impl Schedule {
    /// Returns whether `now` is between the dates.
    pub fn is_open(self, now: Timestamp) -> bool {
        self.publish_at.is_none_or(|at| at <= now) && self.expire_at.is_none_or(|at| at > now)
    }

    /// Fails if it would end before it begins.
    fn checked(self) -> Result<Self, ScheduleError> {
        match (self.publish_at, self.expire_at) {
            (Some(publish_at), Some(expire_at)) if expire_at <= publish_at => {
                Err(ScheduleError::ExpiresBeforePublished)
            }
            _ => Ok(self),
        }
    }
}

/// A change of a [`Schedule`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScheduleChange {
    /// The new beginning.
    pub publish_at: Patch<Timestamp>,
    /// The new end.
    pub expire_at: Patch<Timestamp>,
}

impl ScheduleChange {
    /// Parses the ISO 8601 times that an editor sent. An empty one clears the date, as null does.
    ///
    /// # Errors
    /// If a time cannot be read, or is not between 2000 and 2100.
    pub fn parse(publish_at: Patch<String>, expire_at: Patch<String>) -> Result<Self, ScheduleError> {
        Ok(Self { publish_at: parse("publishAt", publish_at)?, expire_at: parse("expireAt", expire_at)? })
    }

    /// Returns whether it sets or clears a date.
    pub fn is_sent(&self) -> bool {
        self.publish_at.is_sent() || self.expire_at.is_sent()
    }

    /// Returns the schedule after the change.
    ///
    /// # Errors
    /// If it would end before it begins.
    pub fn applied_to(&self, stored: Schedule) -> Result<Schedule, ScheduleError> {
        let after = |change: &Patch<Timestamp>, stored| match change {
            Patch::Absent => stored,
            Patch::Null => None,
            Patch::Value(at) => Some(*at),
        };
        let schedule = Schedule {
            publish_at: after(&self.publish_at, stored.publish_at),
            expire_at: after(&self.expire_at, stored.expire_at),
        };
        schedule.checked()
    }
}

fn parse(field: &'static str, sent: Patch<String>) -> Result<Patch<Timestamp>, ScheduleError> {
    sent.null_if_empty().try_map(|text| {
        let at = from_iso(&text).ok_or(ScheduleError::Invalid(field))?;
        if (EARLIEST..LATEST).contains(&at) { Ok(at) } else { Err(ScheduleError::OutOfRange(field)) }
    })
}

/// Why dates were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Not a time; holds the name of the field.
    #[error("{0} is not a time")]
    Invalid(&'static str),
    /// A year that no one means; holds the name of the field.
    #[error("{0} is out of range")]
    OutOfRange(&'static str),
    /// The end is not after the beginning.
    #[error("it would expire before it is published")]
    ExpiresBeforePublished,
}

impl From<ScheduleError> for Problem {
    fn from(error: ScheduleError) -> Self {
        match error {
            ScheduleError::Invalid(field) => {
                Self::field(field, "invalid_time", format!("{field} must be an ISO 8601 time."))
            }
            ScheduleError::OutOfRange(field) => {
                Self::field(field, "time_out_of_range", "The date must be between 2000 and 2100.")
            }
            ScheduleError::ExpiresBeforePublished => Self::field(
                "expireAt",
                "expires_before_published",
                "The expiry must be after the publication.",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    fn sent(text: &str) -> Patch<String> {
        Patch::Value(text.to_owned())
    }

    #[test]
    fn it_begins_with_the_publication_and_is_over_at_the_expiry() {
        let both = Schedule { publish_at: Some(at(2)), expire_at: Some(at(4)) };
        let open = [1, 2, 3, 4].map(|ms| both.is_open(Timestamp::from_ms(ms)));
        assert_eq!(open, [false, true, true, false]);
        assert!(Schedule::default().is_open(Timestamp::EPOCH));
        assert!(!Schedule { publish_at: Some(at(2)), expire_at: None }.is_open(Timestamp::from_ms(1)));
        assert!(!Schedule { publish_at: None, expire_at: Some(at(4)) }.is_open(Timestamp::MAX));
    }

    #[test]
    fn unreadable_and_absurd_times_are_refused_with_their_field() {
        let field = |sent: Patch<String>| ScheduleChange::parse(sent, Patch::Absent).map(drop);
        assert_eq!(field(sent("tomorrow")), Err(ScheduleError::Invalid("publishAt")));
        assert_eq!(field(sent("2027-01-01T10:00")), Err(ScheduleError::Invalid("publishAt")));
        assert_eq!(field(sent("1999-12-31T23:59:59Z")), Err(ScheduleError::OutOfRange("publishAt")));
        assert_eq!(field(sent("2100-01-01T00:00:00Z")), Err(ScheduleError::OutOfRange("publishAt")));
        assert_eq!(field(sent("2099-12-31T23:59:59+00:00")), Ok(()));
        let expiry = ScheduleChange::parse(Patch::Absent, sent("x"));
        assert_eq!(expiry, Err(ScheduleError::Invalid("expireAt")));
    }

    #[test]
    fn one_date_is_compared_with_the_stored_other_one() {
        let stored = Schedule { publish_at: Some(at(1_800_000_000_000)), expire_at: None };
        let expiry = |text| ScheduleChange::parse(Patch::Absent, sent(text)).unwrap().applied_to(stored);
        assert_eq!(expiry("2027-01-15T08:00:00Z"), Err(ScheduleError::ExpiresBeforePublished));
        let expected = Schedule { expire_at: Some(at(1_800_000_000_001)), ..stored };
        assert_eq!(expiry("2027-01-15T08:00:00.001Z"), Ok(expected));
        let cleared = ScheduleChange::parse(sent(""), Patch::Null).unwrap();
        assert!(cleared.is_sent() && !ScheduleChange::default().is_sent());
        assert_eq!(cleared.applied_to(expected), Ok(Schedule::default()));
        assert_eq!(ScheduleChange::default().applied_to(expected), Ok(expected));
    }
}
