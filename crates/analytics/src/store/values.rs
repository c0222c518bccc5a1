//! Numbers of an organisation, a content item or a playlist over time. A year has 8,760 hours and 365 days, so whole
//! days are read as days.

use std::collections::BTreeMap;

use kernel::{HOUR, Millis, OrgId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr};

use super::numbers;
use crate::definitions::zone::{WeekHour, Zone};
use crate::series::Range;
use crate::shortlist::Periods;
use crate::totals::Sum;

/// Longest day: an hour is repeated when summer time ends.
const DAY_MAX: i64 = 25 * HOUR;

/// Returns the sums of an organisation, a content item or a playlist in a range, in order, each at the start of its day
/// or hour: of whole days by day, of the rest by hour. Days that were cut in another time zone are read by hour.
pub async fn values(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
    range: Range,
    zone: &Zone,
) -> Result<Vec<(Timestamp, Sum)>, DbErr> {
    let Some(whole) = range.whole_days(zone) else { return hours(conn, org, subject, range).await };
    let rest = "FROM (SELECT 1 AS is_day, day AS start, watch_ms, late_ms, views FROM watch_day \
         WHERE org = $1 AND item = $2 AND day >= $7 AND day < $5 \
         UNION ALL SELECT 0, hour, watch_ms, late_ms, views FROM watch_hour \
         WHERE org = $1 AND subject = $2 AND hour >= $3 AND hour < $4 \
         UNION ALL SELECT 0, hour, watch_ms, late_ms, views FROM watch_hour \
         WHERE org = $1 AND subject = $2 AND hour >= $5 AND hour < $6) parts";
    let values = vec![
        org.into(),
        subject.into(),
        range.start.into(),
        whole.start.into(),
        whole.end.into(),
        range.end.into(),
        // A day of another zone may reach into the range.
        (whole.start - DAY_MAX).into(),
    ];
    let columns = ["start", "is_day", "watch_ms", "late_ms", "views"];
    let rows = numbers::select(conn, columns, rest, values).await?;
    let is_day_of_zone = |start: i64| {
        let day = Timestamp::from_ms(start);
        zone.day(day) == day
    };
    if rows.iter().any(|[start, is_day, ..]| *is_day == 1 && !is_day_of_zone(*start)) {
        return hours(conn, org, subject, range).await;
    }
    let is_shown = |[start, is_day, ..]: &[i64; 5]| *is_day == 0 || *start >= whole.start.ms();
    let rows = rows.into_iter().filter(is_shown);
    Ok(in_order(rows.map(|[start, _, watch_ms, late_ms, views]| [start, watch_ms, late_ms, views]).collect()))
}

/// Returns what [`values`] does, and the sum of the range before. If that ends where a day of the range begins, both are
/// read at once.
pub async fn with_previous(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
    (range, previous): (Range, Range),
    zone: &Zone,
) -> Result<(Vec<(Timestamp, Sum)>, Sum), DbErr> {
    let (before, watched) = if previous.end == range.start && zone.day(range.start) == range.start {
        let both = Range { start: previous.start, end: range.end };
        let mut before = values(conn, org, subject, both, zone).await?;
        let watched = before.split_off(before.partition_point(|(start, _)| *start < range.start));
        (before, watched)
    } else {
        futures::try_join!(
            values(conn, org, subject, previous, zone),
            values(conn, org, subject, range, zone),
        )?
    };
    Ok((watched, Sum::of(before.into_iter().map(|(_, sum)| sum))))
}

/// Returns the watch time of an organisation by hour of the week, added up by the database wherever the clock is not
/// changed: there, the same hours of all weeks are as far apart. The number is the length of a week.
pub async fn week(
    conn: &impl ConnectionTrait,
    org: OrgId,
    range: Range,
    zone: &Zone,
) -> Result<BTreeMap<WeekHour, Millis>, DbErr> {
    let rest = "FROM (SELECT MIN(hour) AS hour, SUM(watch_ms) AS watch_ms FROM ( \
         SELECT period + slot AS hour, watch_ms FROM watch_slot WHERE org = $1 AND period >= $4 AND period < $5 \
         UNION ALL SELECT hour, watch_ms FROM watch_hour \
         WHERE org = $1 AND subject = $2 AND hour >= $3 AND hour < $4 AND watch_ms > 0 \
         UNION ALL SELECT hour, watch_ms FROM watch_hour \
         WHERE org = $1 AND subject = $2 AND hour >= $5 AND hour < $6 AND watch_ms > 0) parts \
         GROUP BY hour % 604800000) slots";
    let mut week: BTreeMap<WeekHour, Millis> = BTreeMap::new();
    for part in zone.parts(range) {
        let Range { start, end } = Periods::of(part).whole;
        let values =
            vec![org.into(), org.into(), part.start.into(), start.into(), end.into(), part.end.into()];
        for [hour, watch_ms] in numbers::select(conn, ["hour", "watch_ms"], rest, values).await? {
            *week.entry(zone.hour_of_week(Timestamp::from_ms(hour))).or_default() += watch_ms;
        }
    }
    Ok(week)
}

/// Returns the sums by hour, in order.
async fn hours(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
    range: Range,
) -> Result<Vec<(Timestamp, Sum)>, DbErr> {
    let rest = "FROM watch_hour WHERE org = $1 AND subject = $2 AND hour >= $3 AND hour < $4";
    let values = vec![org.into(), subject.into(), range.start.into(), range.end.into()];
    Ok(in_order(numbers::select(conn, ["hour", "watch_ms", "late_ms", "views"], rest, values).await?))
}

fn in_order(mut rows: Vec<[i64; 4]>) -> Vec<(Timestamp, Sum)> {
    rows.sort_unstable();
    let row = |[start, watch_ms, late_ms, views]: [i64; 4]| {
        (Timestamp::from_ms(start), Sum { watch_ms, late_ms, views })
    };
    rows.into_iter().map(row).collect()
}
