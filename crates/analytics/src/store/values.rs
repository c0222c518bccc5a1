//! Numbers of an organisation, a content item or a playlist over time. A year has 8,760 hours and 365 days, so whole
//! days are read as days.

use std::collections::BTreeMap;

use kernel::{HOUR, Millis, OrgId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use super::numbers;
use super::sums::sum;
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
    // A day of another zone may reach into the range.
    let near = Range { start: whole.start - DAY_MAX, end: whole.end };
    let mut days = days(conn, org, subject, near).await?;
    if days.iter().any(|(day, _)| zone.day(*day) != *day) {
        return hours(conn, org, subject, range).await;
    }
    days.retain(|(day, _)| *day >= whole.start);
    let mut values = hours(conn, org, subject, Range { start: range.start, end: whole.start }).await?;
    values.append(&mut days);
    values.append(&mut hours(conn, org, subject, Range { start: whole.end, end: range.end }).await?);
    Ok(values)
}

/// Returns the sum of a range, added up by the database.
pub async fn range_sum(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
    range: Range,
    zone: &Zone,
) -> Result<Sum, DbErr> {
    let of_hours = "SELECT CAST(COALESCE(SUM(watch_ms), 0) AS BIGINT), \
         CAST(COALESCE(SUM(late_ms), 0) AS BIGINT), CAST(COALESCE(SUM(views), 0) AS BIGINT) FROM watch_hour \
         WHERE org = $1 AND subject = $2 AND hour >= $3 AND hour < $4";
    let of_days = "SELECT CAST(COALESCE(SUM(watch_ms), 0) AS BIGINT), \
         CAST(COALESCE(SUM(late_ms), 0) AS BIGINT), CAST(COALESCE(SUM(views), 0) AS BIGINT) FROM watch_day \
         WHERE org = $1 AND item = $2 AND day >= $3 AND day < $4";
    let Some(whole) = range.whole_days(zone) else {
        return added_up(conn, of_hours, org, subject, range).await;
    };
    // Only a day of another zone may reach across the start or the end.
    for end in [whole.start, whole.end] {
        let near = days(conn, org, subject, Range { start: end - DAY_MAX, end }).await?;
        if near.iter().any(|(day, _)| zone.day(*day) != *day) {
            return added_up(conn, of_hours, org, subject, range).await;
        }
    }
    let mut sum = added_up(conn, of_days, org, subject, whole).await?;
    sum.add(added_up(conn, of_hours, org, subject, Range { start: range.start, end: whole.start }).await?);
    sum.add(added_up(conn, of_hours, org, subject, Range { start: whole.end, end: range.end }).await?);
    Ok(sum)
}

async fn added_up(
    conn: &impl ConnectionTrait,
    select: &'static str,
    org: OrgId,
    subject: Uid,
    range: Range,
) -> Result<Sum, DbErr> {
    if range.start >= range.end {
        return Ok(Sum::default());
    }
    let values: [Value; 4] = [org.into(), subject.into(), range.start.into(), range.end.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    conn.query_one_raw(statement).await?.map_or(Ok(Sum::default()), |row| sum(&row, 0))
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
    rows(conn, "hour", rest, org, subject, range).await
}

async fn days(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
    range: Range,
) -> Result<Vec<(Timestamp, Sum)>, DbErr> {
    let rest = "FROM watch_day WHERE org = $1 AND item = $2 AND day >= $3 AND day < $4";
    rows(conn, "day", rest, org, subject, range).await
}

async fn rows(
    conn: &impl ConnectionTrait,
    start: &'static str,
    rest: &'static str,
    org: OrgId,
    subject: Uid,
    range: Range,
) -> Result<Vec<(Timestamp, Sum)>, DbErr> {
    if range.start >= range.end {
        return Ok(Vec::new());
    }
    let values = vec![org.into(), subject.into(), range.start.into(), range.end.into()];
    let mut rows = numbers::select(conn, [start, "watch_ms", "late_ms", "views"], rest, values).await?;
    rows.sort_unstable();
    let row = |[start, watch_ms, late_ms, views]: [i64; 4]| {
        (Timestamp::from_ms(start), Sum { watch_ms, late_ms, views })
    };
    Ok(rows.into_iter().map(row).collect())
}
