//! Instants, and their conversion to and from ISO 8601.

use std::ops::{Add, AddAssign, Sub};
use std::time::SystemTime;

use sea_orm::DeriveValueType;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::{DAY, Millis, SECOND};

/// An instant: milliseconds since 1970-01-01T00:00:00Z, as stored in every table. Calculations stop at the first and
/// the last instant instead of wrapping around.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, DeriveValueType,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(0);
    /// Later than every other instant.
    pub const MAX: Self = Self(i64::MAX);

    /// Returns the instant this many milliseconds after the epoch.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// Returns the milliseconds since the epoch.
    pub const fn ms(self) -> i64 {
        self.0
    }

    /// Returns the instant this many seconds after the epoch, as tokens and Stripe write it.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(SECOND))
    }

    /// Returns the whole days since the epoch, in UTC.
    pub const fn days(self) -> i64 {
        self.0.div_euclid(DAY)
    }

    /// Returns the whole seconds since the epoch.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(SECOND)
    }
}

impl From<SystemTime> for Timestamp {
    /// Instants before 1970 become the epoch.
    fn from(at: SystemTime) -> Self {
        let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).map_or(Self::MAX, Self)
    }
}

impl Add<Millis> for Timestamp {
    type Output = Self;

    fn add(self, length: Millis) -> Self {
        Self(self.0.saturating_add(length))
    }
}

impl Sub<&Self> for Timestamp {
    type Output = Millis;

    fn sub(self, earlier: &Self) -> Millis {
        self - *earlier
    }
}

impl AddAssign<Millis> for Timestamp {
    fn add_assign(&mut self, length: Millis) {
        *self = *self + length;
    }
}

impl Sub<Millis> for Timestamp {
    type Output = Self;

    fn sub(self, length: Millis) -> Self {
        Self(self.0.saturating_sub(length))
    }
}

impl Sub for Timestamp {
    type Output = Millis;

    fn sub(self, earlier: Self) -> Millis {
        self.0.saturating_sub(earlier.0)
    }
}

/// Formats an instant in UTC with milliseconds, as in `2026-11-20T06:41:00.000Z`. Instants that cannot be
/// represented (years beyond 9999) become the epoch.
pub fn iso(at: Timestamp) -> String {
    let format = time::macros::format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z"
    );
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1_000_000)
        .ok()
        .and_then(|at| at.format(format).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00.000Z".to_owned())
}

/// Formats the day of an instant in UTC for people, as in `November 20, 2026`. Instants that cannot be represented become
/// the epoch.
pub fn long_date(at: Timestamp) -> String {
    let format = time::macros::format_description!("[month repr:long] [day padding:none], [year]");
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1_000_000)
        .ok()
        .and_then(|at| at.format(format).ok())
        .unwrap_or_else(|| "January 1, 1970".to_owned())
}

/// Parses an ISO 8601 time with an offset. Returns `None` if the text is invalid.
pub fn from_iso(text: &str) -> Option<Timestamp> {
    let at = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    i64::try_from(at.unix_timestamp_nanos() / 1_000_000).ok().map(Timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_round_trip_to_the_millisecond() {
        let at = Timestamp::from_ms(1_795_157_640_123);
        assert_eq!(iso(at), "2026-11-20T06:54:00.123Z");
        assert_eq!(from_iso("2026-11-20T06:54:00.123Z"), Some(at));
        assert_eq!(from_iso("2026-11-20T07:54:00.123+01:00"), Some(at));
        assert_eq!(from_iso("yesterday"), None);
        assert_eq!(long_date(at), "November 20, 2026");
        assert_eq!(long_date(Timestamp::EPOCH), "January 1, 1970");
    }
}
