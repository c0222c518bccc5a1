//! The ledger: every contribution to a lead.

use db::{Stored, WriteTx};
use kernel::{OrgId, PersonId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use crate::model::{Cause, LeadKey};

/// Key of a ledger row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub org: OrgId,
    pub person: PersonId,
    /// Start of the consent.
    pub since: Timestamp,
    /// UTC day, counted from the epoch.
    pub day: i64,
    pub cause: Cause,
    /// Id of the content item or playlist, if any; stored as nil if there is none.
    pub item: Option<Uid>,
}

/// What an entry contributes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contribution {
    pub points: f64,
    /// When; the latest time if points add up.
    pub at: Timestamp,
}

const COLUMNS: &str = "lead_ledger (org, person, since, day, cause, item, points, at)";

/// Inserts contributions that count once per item and day; returns those that are new.
pub async fn insert_once(tx: &WriteTx, entries: &[(Entry, Contribution)]) -> Result<Vec<Entry>, DbErr> {
    let rows = db::rows::bulk_upsert(
        tx,
        COLUMNS,
        &ledger_rows(entries),
        "ON CONFLICT DO NOTHING RETURNING org, person, since, day, cause, item",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let org: OrgId = row.try_get_by_index(0)?;
            let person: PersonId = row.try_get_by_index(1)?;
            let cause: Stored<Cause> = row.try_get_by_index(4)?;
            let item: Uid = row.try_get_by_index(5)?;
            Ok(Entry {
                org,
                person,
                since: row.try_get_by_index(2)?,
                day: row.try_get_by_index(3)?,
                cause: cause.known("lead_ledger", "cause", format_args!("{org} {person}"))?,
                item: Some(item).filter(|item| !item.is_nil()),
            })
        })
        .collect()
}

/// Adds contributions that accumulate within a day.
pub async fn add(tx: &WriteTx, entries: &[(Entry, Contribution)]) -> Result<(), DbErr> {
    db::rows::bulk_upsert(
        tx,
        COLUMNS,
        &ledger_rows(entries),
        "ON CONFLICT (org, person, since, day, cause, item) DO UPDATE SET \
         points = lead_ledger.points + excluded.points, \
         at = CASE WHEN excluded.at > lead_ledger.at THEN excluded.at ELSE lead_ledger.at END",
    )
    .await?;
    Ok(())
}

fn ledger_rows(entries: &[(Entry, Contribution)]) -> Vec<[Value; 8]> {
    entries
        .iter()
        .map(|(entry, Contribution { points, at })| {
            [
                entry.org.into(),
                entry.person.into(),
                entry.since.into(),
                entry.day.into(),
                entry.cause.into(),
                entry.item.unwrap_or(Uid::nil()).into(),
                (*points).into(),
                (*at).into(),
            ]
        })
        .collect()
}

/// Returns a person's contributions under one consent, newest day first, at most `limit` of them.
pub async fn of_person(
    conn: &impl ConnectionTrait,
    key: LeadKey,
    since: Timestamp,
    limit: i64,
) -> Result<Vec<(Entry, Contribution)>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT day, cause, item, points, at FROM lead_ledger \
         WHERE org = $1 AND person = $2 AND since = $3 ORDER BY day DESC LIMIT $4",
        [key.org.into(), key.person.into(), since.into(), limit.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            let cause: Stored<Cause> = row.try_get_by_index(1)?;
            let item: Uid = row.try_get_by_index(2)?;
            let entry = Entry {
                org: key.org,
                person: key.person,
                since,
                day: row.try_get_by_index(0)?,
                cause: cause.known("lead_ledger", "cause", key.person)?,
                item: Some(item).filter(|item| !item.is_nil()),
            };
            let points = row.try_get_by_index(3)?;
            Ok((entry, Contribution { points, at: row.try_get_by_index(4)? }))
        })
        .collect()
}

/// Returns the first day on which the person watched each of the items, among the entries that are kept.
pub async fn first_days(
    conn: &impl ConnectionTrait,
    key: LeadKey,
    since: Timestamp,
) -> Result<Vec<(Uid, i64)>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT item, MIN(day) FROM lead_ledger \
         WHERE org = $1 AND person = $2 AND since = $3 AND cause = 'watched' GROUP BY item",
        [key.org.into(), key.person.into(), since.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Returns whether there are entries from before a day.
pub async fn any_before(conn: &impl ConnectionTrait, day: i64) -> Result<bool, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT day FROM lead_ledger WHERE day < $1 LIMIT 1",
        [day.into()],
    );
    Ok(conn.query_one_raw(statement).await?.is_some())
}

/// Removes up to `limit` entries from before a day. Returns their number.
pub async fn remove_before(tx: &WriteTx, day: i64, limit: i64) -> Result<u64, DbErr> {
    let statement = Statement::from_sql_and_values(
        tx.get_database_backend(),
        "DELETE FROM lead_ledger WHERE (org, person, since, day, cause, item) IN \
         (SELECT org, person, since, day, cause, item FROM lead_ledger WHERE day < $1 LIMIT $2)",
        [day.into(), limit.into()],
    );
    Ok(tx.execute_raw(statement).await?.rows_affected())
}
