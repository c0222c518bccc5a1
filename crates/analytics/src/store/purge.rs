//! Removal of what is older than it is kept.

use db::Db;
use kernel::{DAY, Timestamp};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use super::view_packs::{self, SubjectWeek};
use crate::definitions::day_of;

/// Rows per transaction.
const PAGE: u64 = 2_000;

/// What is removed by age: table, primary key, and the indexed column of the age, in UTC days or milliseconds.
const BY_DAY: [(&str, &str, &str); 2] =
    [("interaction", "org, uid", "day"), ("coverage", "org, viewer, content", "watched_day")];
const BY_TIME: [(&str, &str, &str); 2] =
    [("viewing", "org, uid", "hour"), ("activity", "org, person, since, at, uid", "at")];

/// What is kept under anonymous names, with the day of the name.
const NAMED: [(&str, &str, &str); 2] = [
    ("counted_start", "day, org, viewer, content, at", "day"),
    ("viewer_hour", "day, org, viewer, hour", "day"),
];

/// Returns whether a row is older than it is kept: a name before `day`, events before `events`, others before `time`.
pub async fn any(
    conn: &impl ConnectionTrait,
    day: i64,
    time: Timestamp,
    events: Timestamp,
) -> Result<bool, DbErr> {
    let checks: [(&'static str, Value); 8] = [
        ("SELECT 1 FROM viewer_salt WHERE day < $1 LIMIT 1", day.into()),
        ("SELECT 1 FROM interaction WHERE day < $1 LIMIT 1", day_of(time).into()),
        ("SELECT 1 FROM coverage WHERE watched_day < $1 LIMIT 1", day_of(time).into()),
        ("SELECT 1 FROM view_pack WHERE week < $1 LIMIT 1", time.into()),
        ("SELECT 1 FROM view_unpacked WHERE day < $1 LIMIT 1", (time - DAY).into()),
        ("SELECT 1 FROM viewing WHERE hour < $1 LIMIT 1", time.into()),
        ("SELECT 1 FROM activity WHERE at < $1 LIMIT 1", time.into()),
        (
            "SELECT 1 FROM (SELECT received_at FROM event_batch ORDER BY number LIMIT 1) oldest WHERE received_at < $1",
            events.into(),
        ),
    ];
    for (sql, limit) in checks {
        let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [limit]);
        if conn.query_one_raw(statement).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes what is kept under the anonymous names of days before `day`, a page per transaction.
pub async fn remove_named(db: &Db, day: i64) -> Result<(), DbErr> {
    for (table, key, column) in NAMED {
        remove_pages(db, table, key, column, day.into()).await?;
    }
    Ok(())
}

/// Removes the rows, a page per transaction, so that others can write in between.
pub async fn remove(db: &Db, time: Timestamp) -> Result<(), DbErr> {
    for (table, key, column) in BY_DAY {
        remove_pages(db, table, key, column, day_of(time).into()).await?;
    }
    // The first week that is kept in part is read from the rows that are left of it.
    unpack_before(db, time).await?;
    for (table, key, column) in BY_TIME {
        remove_pages(db, table, key, column, time.into()).await?;
    }
    // Last: while a day has views, it is packed or not.
    remove_pages(db, "view_unpacked", "org, subject, day", "day", (time - DAY).into()).await
}

/// Marks weeks that begin before `time` as unpacked.
async fn unpack_before(db: &Db, time: Timestamp) -> Result<(), DbErr> {
    loop {
        let page = view_packs::packed_before(db.read(), time, PAGE as i64).await?;
        if page.is_empty() {
            return Ok(());
        }
        for keys in page.chunk_by(|one, next| one.org == next.org) {
            let Some(SubjectWeek { org, .. }) = keys.first().copied() else { continue };
            let tx = db.write_tx_on(org).await?;
            view_packs::unpack(&tx, &keys.iter().copied().collect()).await?;
            tx.commit().await?;
        }
        db::pause_after_page().await;
    }
}

/// Removes the events, a page per transaction.
pub async fn remove_events(db: &Db, time: Timestamp) -> Result<(), DbErr> {
    // Numbered in the order of arrival, so only the oldest ones are looked at.
    let oldest = format!(
        "DELETE FROM event_batch WHERE received_at < $1 \
         AND number IN (SELECT number FROM event_batch ORDER BY number LIMIT {PAGE})"
    );
    remove_all(db, &oldest, time.into()).await
}

async fn remove_pages(
    db: &Db,
    table: &'static str,
    key: &'static str,
    column: &'static str,
    limit: Value,
) -> Result<(), DbErr> {
    let sql = format!(
        "DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {column} < $1 LIMIT {PAGE})"
    );
    remove_all(db, &sql, limit).await
}

/// Repeats a statement that removes a page.
async fn remove_all(db: &Db, sql: &str, limit: Value) -> Result<(), DbErr> {
    loop {
        let tx = db.write_tx().await?;
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [limit.clone()]);
        let removed = tx.execute_raw(statement).await?.rows_affected();
        tx.commit().await?;
        if removed < PAGE {
            return Ok(());
        }
        db::pause_after_page().await;
    }
}
