//! Leads by key, and those that are due. Every write keeps the tally.

use std::collections::HashMap;

use db::{Stored, WriteTx};
use kernel::{OrgId, PersonId};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement, Value};

use super::tally::TallyChanges;
use crate::model::{Lead, LeadKey, Temperature};

const COLUMNS: &str = "lead (org, person, since, points, day, score, temperature, modified_at, created_at, \
     last_seen_at, shown, due_day)";
const REPLACE: &str = "ON CONFLICT (org, person) DO UPDATE SET since = excluded.since, \
     points = excluded.points, day = excluded.day, score = excluded.score, \
     temperature = excluded.temperature, modified_at = excluded.modified_at, \
     created_at = excluded.created_at, last_seen_at = excluded.last_seen_at, shown = excluded.shown, \
     due_day = excluded.due_day";

/// Converts a row with all columns of `lead`.
pub fn lead(row: &QueryResult) -> Result<Lead, DbErr> {
    let org: OrgId = row.try_get("", "org")?;
    let person: PersonId = row.try_get("", "person")?;
    let temperature: Stored<Temperature> = row.try_get("", "temperature")?;
    let temperature = temperature.known("lead", "temperature", format_args!("{org} {person}"))?;
    let shown: bool = row.try_get("", "shown")?;
    Ok(Lead {
        org,
        person,
        since: row.try_get("", "since")?,
        points: row.try_get("", "points")?,
        day: row.try_get("", "day")?,
        score: row.try_get("", "score")?,
        temperature,
        modified_at: row.try_get("", "modified_at")?,
        created_at: row.try_get("", "created_at")?,
        last_seen_at: row.try_get("", "last_seen_at")?,
        shown,
        counted: shown.then_some(temperature),
    })
}

/// Returns the existing leads among the given people.
pub async fn of_people(
    conn: &impl ConnectionTrait,
    people: &[LeadKey],
) -> Result<HashMap<LeadKey, Lead>, DbErr> {
    read_by_keys(
        conn,
        people,
        "SELECT l.* FROM want JOIN lead l ON l.org = want.org AND l.person = want.person",
    )
    .await
}

/// Returns the leads of people who do not consent.
pub async fn without_consent(conn: &impl ConnectionTrait) -> Result<Vec<LeadKey>, DbErr> {
    let select = "SELECT l.org, l.person FROM lead l \
         LEFT JOIN consent_standing s ON s.org = l.org AND s.person = l.person \
         WHERE s.consent IS NULL OR NOT s.consent ORDER BY 1, 2";
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), select)).await?;
    let key =
        |row: &QueryResult| Ok(LeadKey { org: row.try_get_by_index(0)?, person: row.try_get_by_index(1)? });
    rows.iter().map(key).collect()
}

/// Does the same as [`of_people`], and keeps the leads from changing until the transaction ends. They are locked in the
/// order of their keys.
pub async fn locked(tx: &WriteTx, people: &[LeadKey]) -> Result<HashMap<LeadKey, Lead>, DbErr> {
    match tx.get_database_backend() {
        DbBackend::Postgres => {
            read_by_keys(
                tx,
                people,
                "SELECT l.* FROM lead l WHERE (l.org, l.person) IN (SELECT org, person FROM want) \
                 ORDER BY l.org, l.person FOR UPDATE",
            )
            .await
        }
        // It has one writer.
        _ => of_people(tx, people).await,
    }
}

async fn read_by_keys(
    conn: &impl ConnectionTrait,
    people: &[LeadKey],
    sql: &'static str,
) -> Result<HashMap<LeadKey, Lead>, DbErr> {
    let wanted: Vec<[Value; 2]> = people.iter().map(|key| [key.org.into(), key.person.into()]).collect();
    let rows = db::rows::select_by_keys(conn, "org, person", &wanted, sql).await?;
    rows.iter()
        .map(|row| lead(row).map(|lead| (LeadKey { org: lead.org, person: lead.person }, lead)))
        .collect()
}

/// Inserts or updates leads, and counts them; each person may occur only once.
pub async fn save(tx: &WriteTx, leads: &[Lead]) -> Result<(), DbErr> {
    let mut tally = TallyChanges::default();
    for lead in leads {
        if let Some(before) = lead.counted {
            tally.add(lead.org, before, -1);
        }
        if lead.shown {
            tally.add(lead.org, lead.temperature, 1);
        }
    }
    let rows: Vec<[Value; 12]> = leads
        .iter()
        .map(|lead| {
            [
                lead.org.into(),
                lead.person.into(),
                lead.since.into(),
                lead.points.into(),
                lead.day.into(),
                lead.score.into(),
                lead.temperature.into(),
                lead.modified_at.into(),
                lead.created_at.into(),
                lead.last_seen_at.into(),
                lead.shown.into(),
                lead.due_day().into(),
            ]
        })
        .collect();
    db::rows::bulk_upsert(tx, COLUMNS, &rows, REPLACE).await?;
    tally.write(tx).await
}

/// Removes a person's lead and everything that it was derived from.
pub async fn remove(tx: &WriteTx, key: LeadKey) -> Result<(), DbErr> {
    let mut tally = TallyChanges::default();
    let removed = tx
        .query_one_raw(Statement::from_sql_and_values(
            tx.get_database_backend(),
            "DELETE FROM lead WHERE org = $1 AND person = $2 RETURNING temperature, shown",
            [key.org.into(), key.person.into()],
        ))
        .await?;
    if let Some(row) = removed
        && row.try_get_by_index(1)?
    {
        // An unreadable one is not counted.
        match row.try_get_by_index(0)? {
            Stored::Known(temperature) => tally.add(key.org, temperature, -1),
            Stored::Unknown => db::log_unreadable("lead", "temperature", key.person),
        }
    }
    tx.execute_raw(Statement::from_sql_and_values(
        tx.get_database_backend(),
        "DELETE FROM lead_ledger WHERE org = $1 AND person = $2",
        [key.org.into(), key.person.into()],
    ))
    .await?;
    tally.write(tx).await
}

/// Returns the organisations with leads whose score drops by `today`.
pub async fn due_orgs(conn: &impl ConnectionTrait, today: i64) -> Result<Vec<OrgId>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT DISTINCT org FROM lead WHERE due_day <= $1",
        [today.into()],
    );
    conn.query_all_raw(statement).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Returns whether the score of any lead drops by `today`.
pub async fn any_due(conn: &impl ConnectionTrait, today: i64) -> Result<bool, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT org FROM lead WHERE due_day <= $1 LIMIT 1",
        [today.into()],
    );
    Ok(conn.query_one_raw(statement).await?.is_some())
}

/// Returns up to `limit` people whose score drops by `today`.
pub async fn due(
    conn: &impl ConnectionTrait,
    org: OrgId,
    today: i64,
    limit: i64,
) -> Result<Vec<LeadKey>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT person FROM lead WHERE due_day <= $2 AND org = $1 LIMIT $3",
        [org.into(), today.into(), limit.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok(LeadKey { org, person: row.try_get_by_index(0)? })).collect()
}
