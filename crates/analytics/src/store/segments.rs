//! The segments of the archive, and the events on their way into them.

use std::ops::RangeInclusive;

use db::{Db, Stored, WriteTx};
use kernel::{DAY, OrgId, Timestamp, ViewerId, iso};
use sea_orm::{ConnectionTrait, DbErr, DeriveActiveEnum, EnumIter, QueryResult, Statement, Value};
use storage::Key;

/// Requests removed in one transaction.
const REMOVED_AT_ONCE: u64 = 2_000;
/// Segments marked or removed in one transaction.
const PAGE: i64 = 200;

/// State of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum SegmentState {
    /// Its object may not be there yet.
    #[sea_orm(string_value = "writing")]
    Writing,
    /// Its object was read back.
    #[sea_orm(string_value = "stored")]
    Stored,
    /// Its object is being removed.
    #[sea_orm(string_value = "leaving")]
    Leaving,
}

/// The first of the requests to archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oldest {
    pub number: i64,
    pub org: OrgId,
    /// UTC day.
    pub day: i64,
}

/// A request to archive.
#[derive(Clone, Debug)]
pub struct StoredBatch {
    pub number: i64,
    pub day: i64,
    pub viewer: ViewerId,
    /// Whether the name is used as long as a consent lasts.
    pub is_named: bool,
    pub received_at: Timestamp,
    pub events: String,
    pub rejected: Option<String>,
}

/// A segment to insert.
pub struct NewSegment {
    pub org: OrgId,
    pub day: i64,
    pub events: RangeInclusive<i64>,
    pub requests: u64,
    pub lines: u64,
    pub bytes: u64,
    pub sha256: String,
}

/// A segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentRow {
    pub number: i64,
    pub org: OrgId,
    pub day: i64,
    pub bytes: u64,
    pub sha256: String,
}

impl SegmentRow {
    /// Returns the key of its object.
    pub fn key(&self) -> Result<Key, DbErr> {
        key(self.day, self.org, self.number)
    }
}

/// Returns a UTC day as text, as in `2026-11-26`.
pub fn day_text(day: i64) -> String {
    iso(Timestamp::from_ms(day * DAY)).split('T').next().unwrap_or_default().to_owned()
}

/// Returns the key of a segment.
pub fn key(day: i64, org: OrgId, number: i64) -> Result<Key, DbErr> {
    let invalid = || db::unreadable("event_segment", "day", number);
    Key::events(&day_text(day), org, number).ok_or_else(invalid)
}

/// Returns the first stored request after a number.
pub async fn oldest(conn: &impl ConnectionTrait, after: i64) -> Result<Option<Oldest>, DbErr> {
    let select = "SELECT number, org, day FROM event_batch WHERE number > $1 ORDER BY number LIMIT 1";
    let row = conn.query_one_raw(statement(conn, select, [after.into()])).await?;
    row.map(|row| {
        Ok(Oldest {
            number: row.try_get_by_index(0)?,
            org: row.try_get_by_index(1)?,
            day: row.try_get_by_index(2)?,
        })
    })
    .transpose()
}

/// Returns the last request of the stored segment that has this one already.
pub async fn covering(conn: &impl ConnectionTrait, oldest: &Oldest) -> Result<Option<i64>, DbErr> {
    let select = "SELECT last_event FROM event_segment WHERE org = $1 AND day = $2 AND state = $3 \
                  AND first_event <= $4 AND last_event >= $4";
    let state = Stored::from(SegmentState::Stored).into();
    let values = [oldest.org.into(), oldest.day.into(), state, oldest.number.into()];
    conn.query_one_raw(statement(conn, select, values)).await?.map(|row| row.try_get_by_index(0)).transpose()
}

/// Returns a page of an organisation's requests from a number on, in order.
pub async fn batches(
    conn: &impl ConnectionTrait,
    org: OrgId,
    from: i64,
    limit: i64,
) -> Result<Vec<StoredBatch>, DbErr> {
    let select = "SELECT number, day, viewer, since, received_at, events, rejected FROM event_batch \
                  WHERE org = $1 AND number >= $2 ORDER BY number LIMIT $3";
    let rows = conn.query_all_raw(statement(conn, select, [org.into(), from.into(), limit.into()])).await?;
    rows.iter()
        .map(|row| {
            let since: Timestamp = row.try_get_by_index(3)?;
            Ok(StoredBatch {
                number: row.try_get_by_index(0)?,
                day: row.try_get_by_index(1)?,
                viewer: row.try_get_by_index(2)?,
                is_named: since != Timestamp::EPOCH,
                received_at: row.try_get_by_index(4)?,
                events: row.try_get_by_index(5)?,
                rejected: row.try_get_by_index(6)?,
            })
        })
        .collect()
}

/// Returns how many of an organisation's requests have these numbers.
pub async fn count_batches(
    conn: &impl ConnectionTrait,
    org: OrgId,
    events: &RangeInclusive<i64>,
) -> Result<u64, DbErr> {
    let select = "SELECT COUNT(*) FROM event_batch WHERE org = $1 AND number >= $2 AND number <= $3";
    let values = [org.into(), (*events.start()).into(), (*events.end()).into()];
    number(conn, select, values).await
}

/// Removes an organisation's requests with these numbers, a page per transaction.
pub async fn remove_batches(db: &Db, org: OrgId, events: &RangeInclusive<i64>) -> Result<(), DbErr> {
    let delete = format!(
        "DELETE FROM event_batch WHERE number IN (SELECT number FROM event_batch \
         WHERE org = $1 AND number >= $2 AND number <= $3 ORDER BY number LIMIT {REMOVED_AT_ONCE})"
    );
    loop {
        let tx = db.write_tx_on(org).await?;
        let values: [Value; 3] = [org.into(), (*events.start()).into(), (*events.end()).into()];
        let removed = tx.execute_raw(statement(&tx, delete.as_str(), values)).await?.rows_affected();
        tx.commit().await?;
        if removed < REMOVED_AT_ONCE {
            return Ok(());
        }
        db::pause_after_page().await;
    }
}

/// Returns whether a stored segment has any of these requests.
pub async fn any_covering(
    conn: &impl ConnectionTrait,
    org: OrgId,
    events: &RangeInclusive<i64>,
) -> Result<bool, DbErr> {
    let select = "SELECT 1 FROM event_segment WHERE org = $1 AND state = $2 AND first_event <= $3 \
                  AND last_event >= $4 LIMIT 1";
    let stored = Stored::from(SegmentState::Stored).into();
    let values = [org.into(), stored, (*events.end()).into(), (*events.start()).into()];
    Ok(conn.query_one_raw(statement(conn, select, values)).await?.is_some())
}

/// Inserts a segment that is about to be written. Returns its number: `number`, or a higher one if segments have been inserted
/// meanwhile.
pub async fn insert(tx: &WriteTx, new: &NewSegment, number: i64) -> Result<i64, DbErr> {
    let select = "SELECT COALESCE(MAX(number), 0) FROM event_segment";
    let row = tx.query_one_raw(statement(tx, select, [])).await?;
    let last: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
    let number = number.max(last + 1);
    let insert = "INSERT INTO event_segment \
                  (org, day, state, first_event, last_event, requests, lines, bytes, sha256, number) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let values: [Value; 10] = [
        new.org.into(),
        new.day.into(),
        Stored::from(SegmentState::Writing).into(),
        (*new.events.start()).into(),
        (*new.events.end()).into(),
        new.requests.cast_signed().into(),
        new.lines.cast_signed().into(),
        new.bytes.cast_signed().into(),
        new.sha256.clone().into(),
        number.into(),
    ];
    tx.execute_raw(statement(tx, insert, values)).await?;
    Ok(number)
}

/// Marks a segment as stored. Returns false if it is gone.
pub async fn mark_stored(tx: &WriteTx, number: i64, now: Timestamp) -> Result<bool, DbErr> {
    let update = "UPDATE event_segment SET state = $2, stored_at = $3 WHERE number = $1 AND state = $4";
    let [stored, writing] =
        [SegmentState::Stored, SegmentState::Writing].map(|state| Value::from(Stored::from(state)));
    let values = [number.into(), stored, now.into(), writing];
    Ok(tx.execute_raw(statement(tx, update, values)).await?.rows_affected() == 1)
}

/// Whether segments wait to be removed, or days before `day` do.
pub async fn any_to_remove(conn: &impl ConnectionTrait, day: Option<i64>) -> Result<bool, DbErr> {
    let select = "SELECT 1 FROM event_segment WHERE state IN ($1, $2) LIMIT 1";
    let unfinished =
        [SegmentState::Writing, SegmentState::Leaving].map(|state| Value::from(Stored::from(state)));
    if conn.query_one_raw(statement(conn, select, unfinished)).await?.is_some() {
        return Ok(true);
    }
    let Some(day) = day else { return Ok(false) };
    let select = "SELECT 1 FROM event_segment WHERE day < $1 LIMIT 1";
    Ok(conn.query_one_raw(statement(conn, select, [day.into()])).await?.is_some())
}

/// Marks the segments of days before `day` as leaving, a page per transaction.
pub async fn expire(db: &Db, day: i64) -> Result<(), DbErr> {
    mark_leaving(db, "day < $2", day.into()).await
}

/// Marks the segments that were never completed as leaving, a page per transaction. A worker that is still writing one can
/// then not mark it as stored.
pub async fn give_up(db: &Db) -> Result<(), DbErr> {
    mark_leaving(db, "state = $2", Stored::from(SegmentState::Writing).into()).await
}

/// Marks the segments of an organisation as leaving, a page per transaction.
pub async fn leave(db: &Db, org: OrgId) -> Result<(), DbErr> {
    mark_leaving(db, "org = $2", org.into()).await
}

async fn mark_leaving(db: &Db, condition: &'static str, value: Value) -> Result<(), DbErr> {
    let update = format!(
        "UPDATE event_segment SET state = $1 WHERE number IN \
         (SELECT number FROM event_segment WHERE {condition} AND state <> $1 LIMIT {PAGE})"
    );
    let leaving: Value = Stored::from(SegmentState::Leaving).into();
    loop {
        let tx = db.write_tx().await?;
        let values = [leaving.clone(), value.clone()];
        let marked = tx.execute_raw(statement(&tx, update.as_str(), values)).await?.rows_affected();
        tx.commit().await?;
        if marked < PAGE.unsigned_abs() {
            return Ok(());
        }
        db::pause_after_page().await;
    }
}

/// Returns a page of the segments that are leaving, of one organisation or of all.
pub async fn leaving(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<SegmentRow>, DbErr> {
    let leaving = Stored::from(SegmentState::Leaving).into();
    let (of_org, values) = match org {
        Some(org) => ("AND org = $2", vec![leaving, org.into()]),
        None => ("", vec![leaving]),
    };
    let select = format!(
        "SELECT number, org, day, bytes, sha256 FROM event_segment WHERE state = $1 {of_org} LIMIT {PAGE}"
    );
    rows(conn, &select, values).await
}

/// Removes the rows of segments whose objects are gone.
pub async fn remove(db: &Db, segments: &[SegmentRow]) -> Result<(), DbErr> {
    let tx = db.write_tx().await?;
    for segment in segments {
        let delete = "DELETE FROM event_segment WHERE number = $1 AND state = $2";
        let leaving: Value = Stored::from(SegmentState::Leaving).into();
        tx.execute_raw(statement(&tx, delete, [segment.number.into(), leaving])).await?;
    }
    tx.commit().await
}

/// Returns a page of the stored segments after a number.
pub async fn page(conn: &impl ConnectionTrait, after: i64, limit: u64) -> Result<Vec<SegmentRow>, DbErr> {
    let select = "SELECT number, org, day, bytes, sha256 FROM event_segment \
                  WHERE state = $1 AND number > $2 ORDER BY number LIMIT $3";
    let stored = Stored::from(SegmentState::Stored).into();
    rows(conn, select, vec![stored, after.into(), limit.cast_signed().into()]).await
}

/// Returns which of these segments have rows.
pub async fn known(conn: &impl ConnectionTrait, numbers: &[i64]) -> Result<Vec<(i64, OrgId)>, DbErr> {
    let wanted: Vec<[Value; 1]> = numbers.iter().map(|number| [(*number).into()]).collect();
    let select = "SELECT s.number, s.org FROM want JOIN event_segment s ON s.number = want.number";
    let rows = db::rows::select_by_keys(conn, "number", &wanted, select).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Returns the bytes of an organisation's stored segments.
pub async fn bytes(conn: &impl ConnectionTrait, org: OrgId) -> Result<u64, DbErr> {
    let select =
        "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM event_segment WHERE org = $1 AND state = $2";
    number(conn, select, [org.into(), Stored::from(SegmentState::Stored).into()]).await
}

/// Returns the last day of which events of an organisation were archived.
pub async fn last_day(conn: &impl ConnectionTrait, org: OrgId) -> Result<Option<i64>, DbErr> {
    let select = "SELECT MAX(day) FROM event_segment WHERE org = $1";
    let row = conn.query_one_raw(statement(conn, select, [org.into()])).await?;
    row.map_or(Ok(None), |row| row.try_get_by_index(0))
}

async fn rows(conn: &impl ConnectionTrait, sql: &str, values: Vec<Value>) -> Result<Vec<SegmentRow>, DbErr> {
    let row = |row: &QueryResult| {
        let bytes: i64 = row.try_get_by_index(3)?;
        Ok(SegmentRow {
            number: row.try_get_by_index(0)?,
            org: row.try_get_by_index(1)?,
            day: row.try_get_by_index(2)?,
            bytes: bytes.cast_unsigned(),
            sha256: row.try_get_by_index(4)?,
        })
    };
    conn.query_all_raw(statement(conn, sql, values)).await?.iter().map(row).collect()
}

async fn number<const N: usize>(
    conn: &impl ConnectionTrait,
    sql: &str,
    values: [Value; N],
) -> Result<u64, DbErr> {
    let row = conn.query_one_raw(statement(conn, sql, values)).await?;
    let number: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
    Ok(number.cast_unsigned())
}

fn statement(conn: &impl ConnectionTrait, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(conn.get_database_backend(), sql, values)
}
