//! Hours and days of an organisation's time zone. A zone may be half an hour or a quarter off the hours of UTC, so an
//! hour is named by the instant at which it starts.

use std::sync::Arc;

use jiff::ToSpan as _;
use jiff::tz::TimeZone;
use kernel::{DAY, HOUR, Millis, SECOND, Timestamp};

use crate::series::Range;

/// A clock is set back by less than this.
const CLOCK_CHANGE_MAX: Millis = 4 * HOUR;

/// The time zone of an organisation's reports.
#[derive(Clone, Debug)]
pub struct Zone {
    name: String,
    zone: TimeZone,
    /// Start of the first day that is cut in this zone, if earlier ones are cut in another.
    since: Option<Timestamp>,
    /// The zone in which those are cut, if it is known.
    earlier: Option<Arc<Zone>>,
}

/// The hour and the day in which something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    /// Start of the hour.
    pub hour: Timestamp,
    /// Start of the day.
    pub day: Timestamp,
}

/// An hour of the local week.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct WeekHour {
    /// 0 for Monday.
    pub weekday: i8,
    /// Hour of the clock.
    pub hour: i8,
}

impl Zone {
    /// Returns the zone with this IANA name. A name that this version does not know counts as UTC.
    pub fn named(name: &str) -> Self {
        match TimeZone::get(name) {
            Ok(zone) => Self { name: name.to_owned(), zone, since: None, earlier: None },
            Err(_) => Self { name: "UTC".to_owned(), zone: TimeZone::UTC, since: None, earlier: None },
        }
    }

    /// Returns the zone of days of which those before `since` are cut in another.
    pub fn cut_since(self, since: Option<Timestamp>) -> Self {
        Self { since, ..self }
    }

    /// Returns the zone of days of which those before `since` are cut in `earlier`.
    pub fn cut_after(self, earlier: Zone, since: Timestamp) -> Self {
        Self { since: Some(since), earlier: Some(Arc::new(earlier)), ..self }
    }

    /// Returns the start of the first day that is cut in this zone, if earlier ones are cut in another.
    pub fn since(&self) -> Option<Timestamp> {
        self.since
    }

    /// Returns whether both cut all days alike.
    pub fn is_same_cut(&self, other: &Self) -> bool {
        let earlier = |zone: &Self| zone.earlier.as_ref().map(|earlier| earlier.name.clone());
        (&self.name, self.since, earlier(self)) == (&other.name, other.since, earlier(other))
    }

    /// Returns the start of the first day that is cut in this zone, if a range has earlier ones.
    pub fn border_in(&self, range: Range) -> Option<Timestamp> {
        self.since.filter(|since| range.start < *since)
    }

    /// Returns the IANA name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the zone for calendar computations.
    pub fn calendar(&self) -> &TimeZone {
        &self.zone
    }

    /// Returns the start of the hour that contains `at`.
    pub fn hour(&self, at: Timestamp) -> Timestamp {
        self.offset(at).map_or(at, |offset| at - (at.ms() + offset).rem_euclid(HOUR))
    }

    /// Returns the start of the day that contains `at`.
    pub fn day(&self, at: Timestamp) -> Timestamp {
        let Ok(instant) = jiff::Timestamp::from_millisecond(at.ms()) else { return at };
        let start = instant.to_zoned(self.zone.clone()).start_of_day();
        start.map_or(at, |start| Timestamp::from_ms(start.timestamp().as_millisecond()))
    }

    /// Returns the start of the first day that starts at `at` or later.
    pub fn day_from(&self, at: Timestamp) -> Timestamp {
        let day = self.day(at);
        // By noon of the next day, this one is over, however long it is.
        if day == at { day } else { self.day(day + 36 * HOUR) }
    }

    /// Returns whether a day starts at `at`. Unless the clock was changed shortly before, the calendar is not asked.
    pub fn is_start_of_day(&self, at: Timestamp) -> bool {
        match (self.offset(at - CLOCK_CHANGE_MAX), self.offset(at)) {
            (Some(before), Some(offset)) if before == offset => (at.ms() + offset).rem_euclid(DAY) == 0,
            _ => self.day(at) == at,
        }
    }

    /// Returns the zone in which the days before `since` are cut, if `at` is in one of them.
    fn earlier_at(&self, at: Timestamp) -> Option<&Zone> {
        self.earlier.as_deref().filter(|_| self.since.is_some_and(|since| at < since))
    }

    /// Returns the hour and the day that contain `at`.
    pub fn local(&self, at: Timestamp) -> LocalTime {
        match self.earlier_at(at) {
            Some(earlier) => earlier.local(at),
            None => LocalTime { hour: self.hour(at), day: self.day(at) },
        }
    }

    /// Returns whether the clock is not changed from `start` until an hour later.
    fn is_steady(&self, start: Timestamp) -> bool {
        if let Some(earlier) = self.earlier_at(start) {
            return self.earlier_at(start + HOUR - 1).is_some() && earlier.is_steady(start);
        }
        let (first, last) = (self.offset(start), self.offset(start + HOUR - 1));
        first.is_some() && first == last
    }

    /// Returns by how much the clock is ahead of UTC; `None` outside the calendar.
    fn offset(&self, at: Timestamp) -> Option<Millis> {
        let instant = jiff::Timestamp::from_millisecond(at.ms()).ok()?;
        Some(i64::from(self.zone.to_offset(instant).seconds()) * SECOND)
    }

    /// Returns the start of the day that many months before `at`; `None` at the end of the calendar.
    pub fn months_before(&self, at: Timestamp, months: u32) -> Option<Timestamp> {
        let local = jiff::Timestamp::from_millisecond(at.ms()).ok()?.to_zoned(self.zone.clone());
        let first = local.checked_sub(i64::from(months).months()).ok()?.start_of_day().ok()?;
        Some(Timestamp::from_ms(first.timestamp().as_millisecond()))
    }

    /// Returns the parts of a range in which the clock is not changed, in order.
    pub fn parts(&self, range: Range) -> Vec<Range> {
        let Ok(start) = jiff::Timestamp::from_millisecond(range.start.ms()) else { return vec![range] };
        let changes = self.zone.following(start).map(|change| change.timestamp().as_millisecond());
        let (mut parts, mut start) = (Vec::new(), range.start);
        for change in changes.map(Timestamp::from_ms).take_while(|change| *change < range.end) {
            parts.push(Range { start, end: change });
            start = change;
        }
        parts.push(Range { start, end: range.end });
        parts
    }

    /// Returns the parts of a range in which hours start equally long before those of UTC, and how long, in order.
    pub fn parts_by_minute(&self, range: Range) -> Vec<(Range, Millis)> {
        let mut parts: Vec<(Range, Millis)> = Vec::new();
        for part in self.parts(range) {
            let before = self.offset(part.start).unwrap_or_default().rem_euclid(HOUR);
            match parts.last_mut() {
                Some((last, same)) if *same == before => last.end = part.end,
                _ => parts.push((part, before)),
            }
        }
        parts
    }

    /// Returns the hour of the week that contains `at`.
    pub fn hour_of_week(&self, at: Timestamp) -> WeekHour {
        let Ok(instant) = jiff::Timestamp::from_millisecond(at.ms()) else { return WeekHour::default() };
        let local = instant.to_zoned(self.zone.clone());
        WeekHour { weekday: local.weekday().to_monday_zero_offset(), hour: local.hour() }
    }
}

/// Tells hours and days of many times that are near each other: the calendar is asked once an hour.
#[derive(Clone, Copy)]
pub struct Clock<'a> {
    zone: &'a Zone,
    /// The hour of the last time, if the clock is not changed within it.
    last: Option<LocalTime>,
}

impl<'a> Clock<'a> {
    pub fn new(zone: &'a Zone) -> Self {
        Self { zone, last: None }
    }

    /// Returns what [`Zone::local`] does.
    pub fn local(&mut self, at: Timestamp) -> LocalTime {
        if let Some(last) = self.last
            && (0..HOUR).contains(&(at - last.hour))
        {
            return last;
        }
        let local = self.zone.local(at);
        self.last = Some(local).filter(|local| self.zone.is_steady(local.hour));
        local
    }
}

#[cfg(test)]
mod tests {
    use kernel::{MINUTE, from_iso, iso};

    use super::*;

    fn at(text: &str) -> Timestamp {
        from_iso(text).unwrap()
    }

    #[test]
    fn hours_of_a_half_hour_zone_begin_at_half_past_of_utc() {
        let kolkata = Zone::named("Asia/Kolkata");
        assert_eq!(iso(kolkata.hour(at("2026-11-20T08:45:00Z"))), "2026-11-20T08:30:00.000Z");
        assert_eq!(iso(kolkata.hour(at("2026-11-20T08:29:59Z"))), "2026-11-20T07:30:00.000Z");
        assert_eq!(iso(kolkata.day(at("2026-11-20T18:29:59Z"))), "2026-11-19T18:30:00.000Z");
        assert_eq!(iso(kolkata.day(at("2026-11-20T18:30:00Z"))), "2026-11-20T18:30:00.000Z");
        assert_eq!(
            kolkata.hour_of_week(at("2026-11-22T18:30:00Z")),
            WeekHour { weekday: 0, hour: 0 },
            "Monday"
        );
        let kathmandu = Zone::named("Asia/Kathmandu");
        assert_eq!(iso(kathmandu.hour(at("2026-11-20T08:20:00Z"))), "2026-11-20T08:15:00.000Z");
    }

    #[test]
    fn months_are_counted_back_to_the_start_of_a_day() {
        let berlin = Zone::named("Europe/Berlin");
        let before = |text, months| iso(berlin.months_before(at(text), months).unwrap());
        assert_eq!(before("2026-05-31T12:00:00Z", 3), "2026-02-27T23:00:00.000Z", "February has 28 days");
        assert_eq!(before("2026-11-20T08:00:00Z", 13), "2025-10-19T22:00:00.000Z", "summer time");
    }

    #[test]
    fn a_range_is_divided_where_the_clock_changes() {
        let parts = |zone, start, end| {
            let parts = Zone::named(zone).parts(Range { start: at(start), end: at(end) });
            assert!(parts.windows(2).all(|two| two[0].end == two[1].start), "{parts:?}");
            parts.iter().map(|part| iso(part.start)).collect::<Vec<_>>()
        };
        let year = ("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");
        let (start, spring, autumn) =
            ("2026-01-01T00:00:00.000Z", "2026-03-29T01:00:00.000Z", "2026-10-25T01:00:00.000Z");
        assert_eq!(parts("Europe/Berlin", year.0, year.1), [start, spring, autumn]);
        assert_eq!(parts("UTC", year.0, year.1), [start]);
        assert_eq!(
            parts("Europe/Berlin", spring, autumn),
            [spring],
            "a change at the start or end divides nothing"
        );
    }

    #[test]
    fn an_unknown_zone_counts_as_utc() {
        assert_eq!(Zone::named("Mars/Olympus").name(), "UTC");
    }

    #[test]
    fn an_hour_belongs_to_the_day_in_which_it_starts() {
        for name in ["UTC", "Asia/Kolkata", "America/St_Johns", "Europe/Berlin"] {
            let zone = Zone::named(name);
            for step in 0..2_000 {
                let at = at("2026-03-20T00:00:00Z") + step * 17 * MINUTE;
                let hour = zone.hour(at);
                assert!(hour <= at && at - hour < HOUR);
                assert_eq!(zone.day(hour), zone.day(at), "{name} {}", iso(at));
                assert_eq!(zone.hour(hour), hour, "{name} {}", iso(at));
            }
        }
    }

    #[test]
    fn a_day_starts_where_the_calendar_says_so() {
        // Clocks are changed at midnight in the last three, and by half an hour in the one before them.
        let names = ["UTC", "Asia/Kolkata", "Europe/Berlin", "Australia/Lord_Howe"];
        for name in names.into_iter().chain(["America/Havana", "Africa/Cairo", "America/Santiago"]) {
            let (zone, mut days) = (Zone::named(name), 0);
            for step in 0..18_000 {
                let at = at("2026-01-01T00:00:00Z") + step * 30 * MINUTE;
                let is_start = zone.day(at) == at;
                assert_eq!(zone.is_start_of_day(at), is_start, "{name} {}", iso(at));
                assert!(!zone.is_start_of_day(at + 1));
                days += i32::from(is_start);
            }
            assert!((374..=375).contains(&days), "{name} {days}");
        }
    }

    #[test]
    fn times_near_each_other_have_the_same_hours_and_days_as_alone() {
        // The last one changes the clock by half an hour.
        for name in ["UTC", "Asia/Kolkata", "Europe/Berlin", "Australia/Lord_Howe"] {
            let zone = Zone::named(name);
            let mut clock = Clock::new(&zone);
            for step in 0..60_000 {
                let at = at("2026-03-20T00:00:00Z") + step * 7 * MINUTE;
                assert_eq!(clock.local(at), zone.local(at), "{name} {}", iso(at));
            }
        }
    }
}
