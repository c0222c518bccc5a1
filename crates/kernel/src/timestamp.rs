//! Conversion of times to and from ISO 8601.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::Millis;

/// Formats a time in UTC with milliseconds, as in `2026-11-20T06:41:00.000Z`. Times that cannot be
/// represented (years beyond 9999) become the epoch.
pub fn iso(ms: Millis) -> String {
    let format = time::macros::format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z"
    );
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000)
        .ok()
        .and_then(|at| at.format(format).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00.000Z".to_owned())
}

/// Parses an ISO 8601 time with an offset. Returns `None` if the text is invalid.
pub fn ms_from_iso(text: &str) -> Option<Millis> {
    let at = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    Millis::try_from(at.unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_round_trip_to_the_millisecond() {
        assert_eq!(iso(1_795_157_640_123), "2026-11-20T06:54:00.123Z");
        assert_eq!(ms_from_iso("2026-11-20T06:54:00.123Z"), Some(1_795_157_640_123));
        assert_eq!(ms_from_iso("2026-11-20T07:54:00.123+01:00"), Some(1_795_157_640_123));
        assert_eq!(ms_from_iso("yesterday"), None);
    }
}
