//! Numbers of an organisation, a content item or a playlist over time. A year has 8,760 hours and 365 days, so whole
//! days are read as days.

use std::collections::BTreeMap;

use kernel::{HOUR, Millis, OrgId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::numbers;
use super::sums::sum;
use crate::definitions::zone::{WeekHour, Zone};
use crate::series::Range;
use crate::shortlist::Periods;
use crate::totals::Sum;

/// The columns of a value.
const COLUMNS: [&str; 4] = ["start", "watch_ms", "late_ms", "views"];
/// Days and hours of a range. A minus tells the start of a day from that of an hour: the fewer columns, the less is written
/// as text.
const ROWS: &str = "FROM (SELECT -day AS start, watch_ms, late_ms, views FROM watch_day \
     WHERE org = $1 AND item = $2 AND day >= $7 AND day < $5 \
     UNION ALL SELECT hour, watch_ms, late_ms, views FROM watch_hour \
     WHERE org = $1 AND subject = $2 AND hour >= $3 AND hour < $4 \
     UNION ALL SELECT hour, watch_ms, late_ms, views FROM watch_hour \
     WHERE org = $1 AND subject = $2 AND hour >= $5 AND hour < $6) parts";
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
    let values = values_of(org, subject, range, whole);
    let rows = numbers::select(conn, COLUMNS, ROWS, values).await?;
    match shown(rows, whole, zone) {
        Some(values) => Ok(values),
        None => hours(conn, org, subject, range).await,
    }
}

/// Returns the values of [`ROWS`].
fn values_of(org: OrgId, subject: Uid, range: Range, whole: Range) -> Vec<Value> {
    vec![
        org.into(),
        subject.into(),
        range.start.into(),
        whole.start.into(),
        whole.end.into(),
        range.end.into(),
        // A day of another zone may reach into the range.
        (whole.start - DAY_MAX).into(),
    ]
}

/// Returns the rows that are shown, in order. Returns `None` if days were cut in another zone.
fn shown(mut rows: Vec<[i64; 4]>, whole: Range, zone: &Zone) -> Option<Vec<(Timestamp, Sum)>> {
    if rows.iter().any(|[start, ..]| *start < 0 && !zone.is_start_of_day(Timestamp::from_ms(-start))) {
        return None;
    }
    rows.retain(|[start, ..]| *start >= 0 || -start >= whole.start.ms());
    rows.iter_mut().for_each(|[start, ..]| *start = start.abs());
    Some(in_order(rows))
}

/// Returns what [`values`] does, and the sum of the range before. If that has whole days and ends where the range begins,
/// both are read at once.
pub async fn with_previous(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
    (range, previous): (Range, Range),
    zone: &Zone,
) -> Result<(Vec<(Timestamp, Sum)>, Sum), DbErr> {
    if previous.end == range.start
        && zone.is_start_of_day(previous.start)
        && zone.is_start_of_day(range.start)
        && let Some(whole) = range.whole_days(zone)
        && let Some(both) = both(conn, values_of(org, subject, range, whole), (previous, whole), zone).await?
    {
        return Ok(both);
    }
    let (before, watched) = futures::try_join!(
        values(conn, org, subject, previous, zone),
        values(conn, org, subject, range, zone),
    )?;
    Ok((watched, Sum::of(before.into_iter().map(|(_, sum)| sum))))
}

/// Returns both if no day was cut in another zone in the range or near the start of the one before: such a day reaches over
/// neither end of that, whatever the days between are.
async fn both(
    conn: &impl ConnectionTrait,
    mut values: Vec<Value>,
    (previous, whole): (Range, Range),
    zone: &Zone,
) -> Result<Option<(Vec<(Timestamp, Sum)>, Sum)>, DbErr> {
    let backend = conn.get_database_backend();
    let days = "FROM watch_day WHERE org = $1 AND item = $2 AND day >=";
    let sql = format!(
        "SELECT * FROM (SELECT {} {ROWS}) shown CROSS JOIN (SELECT {} {days} $8 AND day < $9) cut \
         CROSS JOIN (SELECT CAST(COALESCE(SUM(watch_ms), 0) AS BIGINT), CAST(COALESCE(SUM(late_ms), 0) AS BIGINT), \
         CAST(COALESCE(SUM(views), 0) AS BIGINT) {days} $10 AND day < $3) earlier",
        numbers::aggregates(backend, COLUMNS),
        numbers::aggregates(backend, ["day"]),
    );
    let start = previous.start;
    values.extend([(start - DAY_MAX).into(), (start + DAY_MAX).into(), start.into()]);
    let row = numbers::one_row(conn, sql, values).await?;
    let days: Vec<[i64; 1]> = numbers::numbers(&row, COLUMNS.len())?;
    if !days.iter().all(|[day]| zone.is_start_of_day(Timestamp::from_ms(*day))) {
        return Ok(None);
    }
    let before = sum(&row, COLUMNS.len() + 1)?;
    Ok(shown(numbers::numbers(&row, 0)?, whole, zone).map(|watched| (watched, before)))
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
    let rest = "FROM (SELECT hour AS start, watch_ms, late_ms, views FROM watch_hour \
         WHERE org = $1 AND subject = $2 AND hour >= $3 AND hour < $4) hours";
    let values = vec![org.into(), subject.into(), range.start.into(), range.end.into()];
    Ok(in_order(numbers::select(conn, COLUMNS, rest, values).await?))
}

fn in_order(mut rows: Vec<[i64; 4]>) -> Vec<(Timestamp, Sum)> {
    rows.sort_unstable();
    let row = |[start, watch_ms, late_ms, views]: [i64; 4]| {
        (Timestamp::from_ms(start), Sum { watch_ms, late_ms, views })
    };
    rows.into_iter().map(row).collect()
}
