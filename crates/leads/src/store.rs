//! All SQL of this crate. The list joins membership and consent, so a lead disappears as soon as the consent
//! is withdrawn.

use std::collections::HashMap;

use db::search::pattern;
use db::{Db, Stored, WriteTx};
use kernel::{Keyset, OrgId, PersonId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

use crate::model::{Cause, Lead, Temperature};

/// A person as a lead of an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeadKey {
    pub org: OrgId,
    pub person: PersonId,
}

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

const COLUMNS: &str = "lead (org, person, since, points, day, score, temperature, modified_at)";
const REPLACE: &str = "ON CONFLICT (org, person) DO UPDATE SET since = excluded.since, \
     points = excluded.points, day = excluded.day, score = excluded.score, \
     temperature = excluded.temperature, modified_at = excluded.modified_at";

/// Removes all rows of an organisation.
pub async fn remove_of_org(db: &Db, org: OrgId) -> Result<(), DbErr> {
    db::rows::remove_all(db, "lead_ledger", "org, person, since, day, cause, item", "org", org).await?;
    db::rows::remove_all(db, "lead", "org, person", "org", org).await
}

/// Removes a person's lead and everything that it was derived from.
pub async fn remove_of_person(tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
    for delete in [
        "DELETE FROM lead_ledger WHERE org = $1 AND person = $2",
        "DELETE FROM lead WHERE org = $1 AND person = $2",
    ] {
        let values = [org.into(), person.into()];
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), delete, values)).await?;
    }
    Ok(())
}

fn lead(row: &QueryResult) -> Result<Lead, DbErr> {
    let org: OrgId = row.try_get("", "org")?;
    let person: PersonId = row.try_get("", "person")?;
    let temperature: Stored<Temperature> = row.try_get("", "temperature")?;
    Ok(Lead {
        org,
        person,
        since: row.try_get("", "since")?,
        points: row.try_get("", "points")?,
        day: row.try_get("", "day")?,
        score: row.try_get("", "score")?,
        temperature: temperature.known("lead", "temperature", format_args!("{org} {person}"))?,
        modified_at: row.try_get("", "modified_at")?,
    })
}

/// Returns the existing leads among the given people.
pub async fn of_people(
    conn: &impl ConnectionTrait,
    people: &[LeadKey],
) -> Result<HashMap<LeadKey, Lead>, DbErr> {
    let wanted: Vec<[Value; 2]> = people.iter().map(|key| [key.org.into(), key.person.into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, person",
        &wanted,
        "SELECT l.org, l.person, l.since, l.points, l.day, l.score, l.temperature, l.modified_at FROM want \
         JOIN lead l ON l.org = want.org AND l.person = want.person",
    )
    .await?;
    rows.iter()
        .map(|row| lead(row).map(|lead| (LeadKey { org: lead.org, person: lead.person }, lead)))
        .collect()
}

/// Inserts or updates leads; each person may occur only once.
pub async fn save(tx: &impl ConnectionTrait, leads: &[Lead]) -> Result<(), DbErr> {
    let rows: Vec<[Value; 8]> = leads
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
            ]
        })
        .collect();
    db::rows::bulk_upsert(tx, COLUMNS, &rows, REPLACE).await?;
    Ok(())
}

/// Inserts contributions that count once per item and day; returns those that are new.
pub async fn insert_once(tx: &impl ConnectionTrait, entries: &[(Entry, f64)]) -> Result<Vec<Entry>, DbErr> {
    let rows = db::rows::bulk_upsert(
        tx,
        "lead_ledger (org, person, since, day, cause, item, points)",
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
pub async fn add_to_ledger(tx: &impl ConnectionTrait, entries: &[(Entry, f64)]) -> Result<(), DbErr> {
    db::rows::bulk_upsert(
        tx,
        "lead_ledger (org, person, since, day, cause, item, points)",
        &ledger_rows(entries),
        "ON CONFLICT (org, person, since, day, cause, item) DO UPDATE SET \
         points = lead_ledger.points + excluded.points",
    )
    .await?;
    Ok(())
}

fn ledger_rows(entries: &[(Entry, f64)]) -> Vec<[Value; 7]> {
    entries
        .iter()
        .map(|(entry, points)| {
            [
                entry.org.into(),
                entry.person.into(),
                entry.since.into(),
                entry.day.into(),
                entry.cause.into(),
                entry.item.unwrap_or(Uid::nil()).into(),
                (*points).into(),
            ]
        })
        .collect()
}

/// Filter of the list.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only leads with this temperature.
    pub temperature: Option<Temperature>,
    /// Part of a name, the email address or the company.
    pub search: Option<String>,
}

/// App users whose current consent is the one under which the lead was collected.
const CURRENT_LEADS: &str = "FROM lead l \
     JOIN membership m ON m.person = l.person AND m.org = l.org AND m.role = 'user' \
     JOIN consent_standing s ON s.org = l.org AND s.person = l.person AND s.consent = TRUE \
     AND s.since = l.since \
     JOIN person p ON p.uid = l.person WHERE l.org = $1";

/// Returns the people of all leads, highest score first.
pub async fn people(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<PersonId>, DbErr> {
    let sql = format!("SELECT l.person {CURRENT_LEADS} ORDER BY l.score DESC, l.person DESC");
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [org.into()]);
    conn.query_all_raw(statement).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Returns the leads among the given people.
pub async fn current(
    conn: &impl ConnectionTrait,
    org: OrgId,
    people: &[PersonId],
) -> Result<HashMap<PersonId, Lead>, DbErr> {
    let wanted: Vec<[Value; 2]> = people.iter().map(|person| [org.into(), (*person).into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, person",
        &wanted,
        "SELECT l.org, l.person, l.since, l.points, l.day, l.score, l.temperature, l.modified_at FROM want \
         JOIN lead l ON l.org = want.org AND l.person = want.person \
         JOIN membership m ON m.person = l.person AND m.org = l.org AND m.role = 'user' \
         JOIN consent_standing s ON s.org = l.org AND s.person = l.person AND s.consent = TRUE \
         AND s.since = l.since",
    )
    .await?;
    rows.iter().map(|row| lead(row).map(|lead| (lead.person, lead))).collect()
}

/// Returns a page of leads, highest score first.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    filter: &Filter,
    keyset: Keyset,
) -> Result<Vec<Lead>, DbErr> {
    let mut sql = format!(
        "SELECT l.org, l.person, l.since, l.points, l.day, l.score, l.temperature, l.modified_at {CURRENT_LEADS}"
    );
    let mut values: Vec<Value> = vec![org.into()];
    let mut bind = |value: Value| {
        values.push(value);
        format!("${}", values.len())
    };
    if let Some(temperature) = filter.temperature {
        sql += &format!(" AND l.temperature = {}", bind(temperature.into()));
    }
    if let Some(search) = &filter.search {
        sql += &format!(" AND p.search_folded LIKE {} ESCAPE '\\'", bind(pattern(search).into()));
    }
    if let Some(after) = keyset.start_after {
        // The page continues at the anchor's position even if the person is no longer listed.
        let key = LeadKey { org, person: after.into() };
        let anchor = of_people(conn, &[key]).await?.remove(&key);
        let person = bind(after.into());
        sql += &match anchor {
            Some(anchor) => {
                let score = bind(anchor.score.into());
                format!(" AND (l.score < {score} OR (l.score = {score} AND l.person < {person}))")
            }
            None => format!(" AND l.person < {person}"),
        };
    }
    let limit = bind(i64::try_from(keyset.limit).unwrap_or(i64::MAX).into());
    sql += &format!(" ORDER BY l.score DESC, l.person DESC LIMIT {limit}");
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    conn.query_all_raw(statement).await?.iter().map(lead).collect()
}

/// Returns the number of leads per temperature.
pub async fn counts(conn: &impl ConnectionTrait, org: OrgId) -> Result<HashMap<Temperature, i64>, DbErr> {
    let sql = format!("SELECT l.temperature, COUNT(*) {CURRENT_LEADS} GROUP BY l.temperature");
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [org.into()]);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            let temperature: Stored<Temperature> = row.try_get_by_index(0)?;
            Ok((temperature.known("lead", "temperature", org)?, row.try_get_by_index(1)?))
        })
        .collect()
}

/// Returns the organisations with leads that were last updated before `today`.
pub async fn stale_orgs(conn: &impl ConnectionTrait, today: i64) -> Result<Vec<OrgId>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT DISTINCT org FROM lead WHERE day < $1",
        [today.into()],
    );
    conn.query_all_raw(statement).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Returns whether any lead was last updated before `today`.
pub async fn any_stale(conn: &impl ConnectionTrait, today: i64) -> Result<bool, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT org FROM lead WHERE day < $1 LIMIT 1",
        [today.into()],
    );
    Ok(conn.query_one_raw(statement).await?.is_some())
}

/// Returns up to `limit` leads of the organisation that were last updated before `today`.
pub async fn stale(
    conn: &impl ConnectionTrait,
    org: OrgId,
    today: i64,
    limit: i64,
) -> Result<Vec<Lead>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT org, person, since, points, day, score, temperature, modified_at FROM lead \
         WHERE org = $1 AND day < $2 LIMIT $3",
        [org.into(), today.into(), limit.into()],
    );
    conn.query_all_raw(statement).await?.iter().map(lead).collect()
}
