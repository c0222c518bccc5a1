//! Time ranges and series over them: calendar buckets in a time zone, filled from hourly values. No async, no
//! SQL, no HTTP.

use std::ops::AddAssign;

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use kernel::{DAY, HOUR, Millis, Timestamp};

use crate::Error;
use crate::definitions::zone::Zone;

/// Maximum length of a range: a leap year in which the clocks are set back once more than forward.
const RANGE_MAX: Millis = 366 * DAY + HOUR;

/// A half-open time range: `start` is included, `end` is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub start: Timestamp,
    pub end: Timestamp,
}

impl Range {
    /// Parses both ends; `fields` are their names, for error messages.
    pub fn parse(fields: [&'static str; 2], start: Option<&str>, end: Option<&str>) -> Result<Self, Error> {
        let read =
            |field, text: Option<&str>| text.and_then(kernel::from_iso).ok_or(Error::InvalidTime(field));
        let (start, end) = (read(fields[0], start)?, read(fields[1], end)?);
        match end - start {
            length if length <= 0 => Err(Error::EmptyRange(fields[1])),
            length if length > RANGE_MAX => Err(Error::LongRange(fields[1])),
            _ => Ok(Self { start, end }),
        }
    }

    /// Returns the range of the same length before this one.
    pub fn previous(self) -> Self {
        Self { start: self.start - (self.end - self.start), end: self.start }
    }

    /// Returns the part of the range that consists of whole days; `None` if there is none.
    pub fn whole_days(self, zone: &Zone) -> Option<Self> {
        let (start, end) = (zone.day_from(self.start), zone.day(self.end));
        (start < end).then_some(Self { start, end })
    }

    /// Returns what is shown of this range and of the one before if nothing earlier than `first` is.
    pub fn shown_since(self, first: Option<Timestamp>) -> VisibleRange {
        let cut = |range: Self| match first {
            Some(first) => Self { start: range.start.max(first).min(range.end), end: range.end },
            None => range,
        };
        let previous = self.previous();
        VisibleRange {
            range: cut(self),
            previous: cut(previous),
            limited_from: first.filter(|first| self.start < *first),
            previous_limited_from: first.filter(|first| previous.start < *first),
        }
    }
}

/// The part of a range that a plan shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibleRange {
    pub range: Range,
    /// The shown part of the range of the same length before the whole range.
    pub previous: Range,
    /// Start of what the plan shows, if the range began earlier.
    pub limited_from: Option<Timestamp>,
    /// The same for the range before.
    pub previous_limited_from: Option<Timestamp>,
}

/// Bucket length of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = SeriesUnit)]
pub enum Unit {
    /// From midnight to midnight.
    #[default]
    Days,
    /// From Monday to Monday.
    Weeks,
    /// Calendar months.
    Months,
    /// Calendar years.
    Years,
}

impl Unit {
    /// Returns the first day of the bucket that contains `day`.
    fn first_day(self, day: Date) -> Date {
        match self {
            Self::Days => day,
            Self::Weeks => {
                let back = day.weekday().since(Weekday::Monday);
                day.saturating_sub(i64::from(back).days())
            }
            Self::Months => day.first_of_month(),
            Self::Years => day.first_of_year(),
        }
    }

    /// Returns the first day of the bucket after the one that starts on `day`.
    fn next_day(self, day: Date) -> Date {
        day.saturating_add(match self {
            Self::Days => 1.day(),
            Self::Weeks => 1.week(),
            Self::Months => 1.month(),
            Self::Years => 1.year(),
        })
    }
}

/// The values of a range by bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Sum of all buckets.
    pub total: i64,
    /// Start of each bucket, within the range, and its value; 0 if empty.
    pub data: Vec<(Timestamp, i64)>,
}

/// Adds each value of an hour or a day to the bucket in which it starts, and adds all of them up.
pub fn fill(range: Range, unit: Unit, zone: &Zone, values: &[(Timestamp, i64)]) -> Series {
    let data = buckets(range, unit, zone, values);
    Series { total: data.iter().map(|(_, value)| value).sum(), data }
}

/// Returns all buckets of a range, with what each has of the values of hours or days that start in it.
pub fn buckets<Value: Copy + Default + AddAssign>(
    range: Range,
    unit: Unit,
    zone: &Zone,
    values: &[(Timestamp, Value)],
) -> Vec<(Timestamp, Value)> {
    let starts = bucket_starts(range, unit, zone.calendar());
    let mut data: Vec<(Timestamp, Value)> =
        starts.into_iter().map(|begin| (begin, Value::default())).collect();
    for (start, value) in values {
        let next = data.partition_point(|(begin, _)| begin <= start);
        if let Some((_, sum)) = next.checked_sub(1).and_then(|bucket| data.get_mut(bucket)) {
            *sum += *value;
        }
    }
    data
}

/// Returns the start of each bucket: the first starts with the range, the others follow the calendar.
fn bucket_starts(range: Range, unit: Unit, zone: &TimeZone) -> Vec<Timestamp> {
    let mut all = vec![range.start];
    let Ok(start) = jiff::Timestamp::from_millisecond(range.start.ms()) else { return all };
    let mut day = unit.first_day(start.to_zoned(zone.clone()).date());
    loop {
        day = unit.next_day(day);
        let Ok(begin) = day.to_zoned(zone.clone()) else { return all };
        let begin = Timestamp::from_ms(begin.timestamp().as_millisecond());
        if begin >= range.end {
            return all;
        }
        if all.last().is_some_and(|last| begin > *last) {
            all.push(begin);
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{from_iso, iso};

    use super::*;

    fn range(start: &str, end: &str) -> Range {
        Range::parse(["startTime", "endTime"], Some(start), Some(end)).unwrap()
    }

    fn times(series: &Series) -> Vec<String> {
        series.data.iter().map(|(begin, _)| iso(*begin)).collect()
    }

    #[test]
    fn a_range_has_two_times_in_order_and_at_most_366_days_and_an_hour() {
        let parse = |start, end| Range::parse(["startTime", "endTime"], start, end);
        assert!(matches!(parse(None, Some("2026-01-01T00:00:00Z")), Err(Error::InvalidTime("startTime"))));
        assert!(matches!(
            parse(Some("2026-01-01T00:00:00Z"), Some("soon")),
            Err(Error::InvalidTime("endTime"))
        ));
        let same = Some("2026-01-01T00:00:00Z");
        assert!(matches!(parse(same, same), Err(Error::EmptyRange("endTime"))));
        assert!(parse(same, Some("2027-01-02T01:00:00Z")).is_ok());
        assert!(matches!(parse(same, Some("2027-01-02T01:00:00.001Z")), Err(Error::LongRange("endTime"))));
    }

    #[test]
    fn days_follow_the_time_zone_and_empty_ones_are_included() {
        let range = range("2026-10-24T22:00:00Z", "2026-10-27T23:00:00Z");
        let berlin = Zone::named("Europe/Berlin");
        let hour = |text: &str| from_iso(text).unwrap();
        // The clocks go back on the 25th, which therefore has 25 hours.
        let hours = [
            (hour("2026-10-24T22:00:00Z"), 5),
            (hour("2026-10-25T22:00:00Z"), 7),
            (hour("2026-10-25T23:00:00Z"), 11),
        ];
        let series = fill(range, Unit::Days, &berlin, &hours);
        assert_eq!(
            times(&series),
            ["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z", "2026-10-26T23:00:00.000Z"]
        );
        assert_eq!(series.data.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [12, 11, 0]);
        assert_eq!(series.total, 23);
    }

    #[test]
    fn weeks_months_and_years_follow_the_calendar_and_the_first_starts_with_the_range() {
        let range = range("2026-01-28T10:30:00Z", "2026-03-02T00:00:00Z");
        let begins = |unit| times(&fill(range, unit, &Zone::named("UTC"), &[]));
        assert_eq!(
            begins(Unit::Months),
            ["2026-01-28T10:30:00.000Z", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"]
        );
        assert_eq!(begins(Unit::Weeks)[..2], ["2026-01-28T10:30:00.000Z", "2026-02-02T00:00:00.000Z"]);
        assert_eq!(begins(Unit::Years), ["2026-01-28T10:30:00.000Z"]);
        let early = fill(range, Unit::Days, &Zone::named("UTC"), &[(range.start - 1, 3)]);
        assert_eq!(early.total, 0, "an hour that starts before the range belongs to the one before");
    }

    #[test]
    fn a_plan_cuts_the_start_of_a_range_and_of_the_one_before() {
        let range = range("2026-01-10T00:00:00Z", "2026-01-20T00:00:00Z");
        let since = |text: &str| range.shown_since(from_iso(text));
        assert_eq!(
            range.shown_since(None),
            VisibleRange {
                range,
                previous: range.previous(),
                limited_from: None,
                previous_limited_from: None
            }
        );
        let inside = since("2026-01-12T00:00:00Z");
        assert_eq!(inside.range.start, inside.limited_from.unwrap());
        assert_eq!((inside.range.end, inside.previous.start), (range.end, inside.previous.end));
        let before = since("2026-01-05T00:00:00Z");
        assert_eq!((before.range, before.limited_from), (range, None));
        assert_eq!(before.previous.end - before.previous.start, 5 * DAY);
        assert_eq!(before.previous_limited_from, Some(before.previous.start));
        assert_eq!(since("2025-12-31T00:00:00Z").previous_limited_from, None);
        let after = since("2026-02-01T00:00:00Z");
        assert_eq!((after.range.start, after.limited_from), (range.end, from_iso("2026-02-01T00:00:00Z")));
    }

    #[test]
    fn whole_days_begin_and_end_at_midnight_of_the_zone() {
        let berlin = Zone::named("Europe/Berlin");
        let days =
            |start, end| range(start, end).whole_days(&berlin).map(|days| (iso(days.start), iso(days.end)));
        let text = |start: &str, end: &str| Some((start.to_owned(), end.to_owned()));
        let (first, second) = ("2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z");
        assert_eq!(days("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"), text(first, second), "25 hours");
        assert_eq!(days("2026-10-24T21:00:00Z", "2026-10-26T01:00:00Z"), text(first, second));
        assert_eq!(days("2026-10-24T22:00:01Z", "2026-10-25T23:00:00Z"), None);
        assert_eq!(days("2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z"), None);
        let (first, second) = ("2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z");
        assert_eq!(days("2026-03-28T12:00:00Z", "2026-03-29T23:00:00Z"), text(first, second), "23 hours");
    }

    #[test]
    fn neighbouring_ranges_share_no_hour() {
        let range = range("2026-01-28T10:30:00Z", "2026-01-29T00:00:00Z");
        let before = range.previous();
        assert_eq!((before.end, before.end - before.start), (range.start, range.end - range.start));
    }
}
