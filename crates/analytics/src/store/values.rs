//! Numbers of an organisation, a content item or a playlist over time. A year has 8,760 hours and 365 days, so whole
//! days are read as days.

use kernel::{HOUR, OrgId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use super::sums::sum;
use crate::definitions::zone::Zone;
use crate::series::Range;
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

/// Returns the sum of a range.
pub async fn range_sum(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
    range: Range,
    zone: &Zone,
) -> Result<Sum, DbErr> {
    let values = values(conn, org, subject, range, zone).await?;
    Ok(Sum::of(values.into_iter().map(|(_, sum)| sum)))
}

/// Returns the sums by hour, in order.
pub async fn hours(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
    range: Range,
) -> Result<Vec<(Timestamp, Sum)>, DbErr> {
    let select = "SELECT hour, watch_ms, late_ms, views FROM watch_hour \
         WHERE org = $1 AND subject = $2 AND hour >= $3 AND hour < $4 ORDER BY hour";
    rows(conn, select, org, subject, range).await
}

async fn days(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
    range: Range,
) -> Result<Vec<(Timestamp, Sum)>, DbErr> {
    let select = "SELECT day, watch_ms, late_ms, views FROM watch_day \
         WHERE org = $1 AND item = $2 AND day >= $3 AND day < $4 ORDER BY day";
    rows(conn, select, org, subject, range).await
}

async fn rows(
    conn: &impl ConnectionTrait,
    select: &'static str,
    org: OrgId,
    subject: Uid,
    range: Range,
) -> Result<Vec<(Timestamp, Sum)>, DbErr> {
    if range.start >= range.end {
        return Ok(Vec::new());
    }
    let values: [Value; 4] = [org.into(), subject.into(), range.start.into(), range.end.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, sum(row, 1)?))).collect()
}
