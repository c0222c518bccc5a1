//! Ranges of time and the days of an organisation's time zone, for numbers over time. No async, no SQL, no HTTP.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use kernel::{DAY, MINUTE, Millis, Problem, Timestamp, iso};
use serde::Serialize;

/// Maximum length of a range.
const RANGE_MAX: Millis = 366 * DAY;

/// The length to which times are rounded down before they are counted. The days of every time zone in use begin with
/// such a quarter of an hour.
pub const QUARTER: Millis = 15 * MINUTE;

/// A half-open range of time: `start` is included, `end` is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRange {
    /// First instant.
    pub start: Timestamp,
    /// First instant after the range.
    pub end: Timestamp,
}

/// The value of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct DayValueOut {
    /// When the day begins, or the range.
    pub time: String,
    /// The value; 0 if there is none.
    pub value: i64,
}

impl DayRange {
    /// Parses `startTime` and `endTime` of a request.
    ///
    /// # Errors
    /// A problem with the field that is missing or wrong, if the range is empty, or if it is longer than 366 days.
    pub fn parse(start: Option<&str>, end: Option<&str>) -> Result<Self, Problem> {
        let read = |field: &'static str, text: Option<&str>| {
            let wrong =
                || Problem::field(field, "invalid_time", format!("{field} must be an ISO 8601 time."));
            text.and_then(kernel::from_iso).ok_or_else(wrong)
        };
        let (start, end) = (read("startTime", start)?, read("endTime", end)?);
        match end - start {
            length if length <= 0 => {
                Err(Problem::field("endTime", "empty_range", "The end must be after the start."))
            }
            length if length > RANGE_MAX => {
                Err(Problem::field("endTime", "range_too_long", "A range can be at most 366 days."))
            }
            _ => Ok(Self { start, end }),
        }
    }

    /// Returns the range of the same length that ends where this one starts.
    #[must_use]
    pub fn previous(self) -> Self {
        Self { start: self.start - (self.end - self.start), end: self.start }
    }

    /// Adds each value to the day of the time zone in which its time lies. Each day has an entry, and the first one
    /// begins with the range. A zone that is not known is read as UTC.
    pub fn by_day(self, zone: &str, values: &[(Timestamp, i64)]) -> Vec<DayValueOut> {
        let starts = self.day_starts(&zone_of(zone));
        let mut sums = vec![0; starts.len()];
        for (at, value) in values {
            let at = (*at).max(self.start);
            let next = starts.partition_point(|start| *start <= at);
            if let Some(sum) = next.checked_sub(1).and_then(|day| sums.get_mut(day)) {
                *sum += value;
            }
        }
        starts.into_iter().zip(sums).map(|(at, value)| DayValueOut { time: iso(at), value }).collect()
    }

    fn day_starts(self, zone: &TimeZone) -> Vec<Timestamp> {
        let mut all = vec![self.start];
        let Ok(start) = jiff::Timestamp::from_millisecond(self.start.ms()) else { return all };
        let mut day = start.to_zoned(zone.clone()).date();
        loop {
            day = day.saturating_add(1.day());
            let Some(begin) = start_of(day, zone) else { return all };
            if begin >= self.end {
                return all;
            }
            if all.last().is_some_and(|last| begin > *last) {
                all.push(begin);
            }
        }
    }
}

/// Returns the first Monday at 08:00 in the time zone after `now`. A zone that is not known is read as UTC.
pub fn next_monday_morning(now: Timestamp, zone: &str) -> Timestamp {
    let zone = zone_of(zone);
    let Ok(at) = jiff::Timestamp::from_millisecond(now.ms()) else { return now + 7 * DAY };
    let today = at.to_zoned(zone.clone()).date();
    let monday = today.saturating_sub(i64::from(today.weekday().since(Weekday::Monday)).days());
    let mornings = [monday, monday.saturating_add(1.week())];
    let mut mornings = mornings.into_iter().filter_map(|day| {
        let morning = day.at(8, 0, 0, 0).to_zoned(zone.clone()).ok()?;
        Some(Timestamp::from_ms(morning.timestamp().as_millisecond()))
    });
    mornings.find(|morning| *morning > now).unwrap_or(now + 7 * DAY)
}

/// Returns the seven days before the Monday of `at` in the time zone.
pub fn week_before(at: Timestamp, zone: &str) -> DayRange {
    let zone = zone_of(zone);
    let whole = DayRange { start: at - 7 * DAY, end: at };
    let Ok(instant) = jiff::Timestamp::from_millisecond(at.ms()) else { return whole };
    let today = instant.to_zoned(zone.clone()).date();
    let monday = today.saturating_sub(i64::from(today.weekday().since(Weekday::Monday)).days());
    match (start_of(monday.saturating_sub(1.week()), &zone), start_of(monday, &zone)) {
        (Some(start), Some(end)) => DayRange { start, end },
        _ => whole,
    }
}

fn start_of(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    let begin = day.to_zoned(zone.clone()).ok()?;
    Some(Timestamp::from_ms(begin.timestamp().as_millisecond()))
}

fn zone_of(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap_or(TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use kernel::from_iso;

    use super::*;

    fn at(text: &str) -> Timestamp {
        from_iso(text).unwrap()
    }

    fn range(start: &str, end: &str) -> DayRange {
        DayRange::parse(Some(start), Some(end)).unwrap()
    }

    #[test]
    fn a_range_has_two_times_in_order_and_at_most_366_days() {
        let code = |start, end| DayRange::parse(start, end).unwrap_err().code;
        let first = Some("2026-01-01T00:00:00Z");
        assert_eq!(code(None, first), "invalid_time");
        assert_eq!(code(first, Some("soon")), "invalid_time");
        assert_eq!(code(first, first), "empty_range");
        assert_eq!(code(first, Some("2027-01-02T00:00:00.001Z")), "range_too_long");
        let week = range("2026-01-08T00:00:00Z", "2026-01-15T00:00:00Z").previous();
        assert_eq!(week, range("2026-01-01T00:00:00Z", "2026-01-08T00:00:00Z"));
    }

    #[test]
    fn days_follow_the_time_zone_and_empty_ones_are_included() {
        // The clocks go back on the 25th, which therefore has 25 hours.
        let berlin = range("2026-10-24T22:00:00Z", "2026-10-27T23:00:00Z");
        let values = [
            (at("2026-10-24T22:00:00Z"), 5),
            (at("2026-10-25T22:45:00Z"), 7),
            (at("2026-10-25T23:00:00Z"), 11),
            (at("2026-10-28T00:00:00Z") - DAY, 1),
        ];
        let days = berlin.by_day("Europe/Berlin", &values);
        let times: Vec<&str> = days.iter().map(|day| day.time.as_str()).collect();
        assert_eq!(
            times,
            ["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z", "2026-10-26T23:00:00.000Z"]
        );
        assert_eq!(days.iter().map(|day| day.value).collect::<Vec<_>>(), [12, 11, 1]);
    }

    #[test]
    fn the_first_day_begins_with_the_range() {
        let days = range("2026-01-28T10:40:00Z", "2026-01-30T00:00:00Z")
            .by_day("Asia/Kathmandu", &[(at("2026-01-28T10:30:00Z"), 2), (at("2026-01-28T18:15:00Z"), 3)]);
        let values: Vec<(&str, i64)> = days.iter().map(|day| (day.time.as_str(), day.value)).collect();
        assert_eq!(
            values,
            [
                ("2026-01-28T10:40:00.000Z", 2),
                ("2026-01-28T18:15:00.000Z", 3),
                ("2026-01-29T18:15:00.000Z", 0)
            ]
        );
    }

    #[test]
    fn the_next_monday_morning_is_in_the_time_zone() {
        let next = |now: &str, zone: &str| iso(next_monday_morning(at(now), zone));
        assert_eq!(next("2026-11-25T12:00:00Z", "UTC"), "2026-11-30T08:00:00.000Z");
        assert_eq!(next("2026-11-30T08:00:00Z", "UTC"), "2026-12-07T08:00:00.000Z");
        assert_eq!(next("2026-11-29T22:00:00Z", "Asia/Tokyo"), "2026-11-29T23:00:00.000Z");
        assert_eq!(next("2026-10-24T12:00:00Z", "Europe/Berlin"), "2026-10-26T07:00:00.000Z");
    }

    #[test]
    fn the_week_before_a_monday_ends_with_sunday() {
        let week = week_before(at("2026-11-30T08:00:00Z"), "UTC");
        assert_eq!(week, range("2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z"));
        let week = week_before(at("2026-10-26T07:00:00Z"), "Europe/Berlin");
        assert_eq!(week, range("2026-10-18T22:00:00Z", "2026-10-25T23:00:00Z"));
    }
}
