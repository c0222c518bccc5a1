//! Emails about leads: who wants them, which were sent, and when the next summary is due.

use db::WriteTx;
use kernel::{OrgId, PersonId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

use crate::model::LeadKey;

/// Which emails a member of staff wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    pub hot_leads: bool,
    pub weekly_summary: bool,
}

async fn execute<const N: usize>(tx: &WriteTx, sql: &'static str, values: [Value; N]) -> Result<u64, DbErr> {
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    Ok(tx.execute_raw(statement).await?.rows_affected())
}

async fn rows<const N: usize>(
    conn: &impl ConnectionTrait,
    sql: &'static str,
    values: [Value; N],
) -> Result<Vec<QueryResult>, DbErr> {
    conn.query_all_raw(Statement::from_sql_and_values(conn.get_database_backend(), sql, values)).await
}

/// Returns what a person wants; by default nothing.
pub async fn wanted(conn: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<Wanted, DbErr> {
    let sql = "SELECT hot_leads, weekly_summary FROM lead_email_setting WHERE org = $1 AND person = $2";
    match rows(conn, sql, [org.into(), person.into()]).await?.first() {
        Some(row) => {
            Ok(Wanted { hot_leads: row.try_get_by_index(0)?, weekly_summary: row.try_get_by_index(1)? })
        }
        None => Ok(Wanted::default()),
    }
}

/// Stores what a person wants.
pub async fn set_wanted(tx: &WriteTx, org: OrgId, person: PersonId, wanted: Wanted) -> Result<(), DbErr> {
    let sql = "INSERT INTO lead_email_setting (org, person, hot_leads, weekly_summary) \
         VALUES ($1, $2, $3, $4) ON CONFLICT (org, person) DO UPDATE \
         SET hot_leads = excluded.hot_leads, weekly_summary = excluded.weekly_summary";
    let values = [org.into(), person.into(), wanted.hot_leads.into(), wanted.weekly_summary.into()];
    execute(tx, sql, values).await.map(drop)
}

/// Forgets what a person wants.
pub async fn forget_wanted(tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
    let sql = "DELETE FROM lead_email_setting WHERE org = $1 AND person = $2";
    execute(tx, sql, [org.into(), person.into()]).await.map(drop)
}

/// Returns the people who want emails about hot leads.
pub async fn wanting_hot(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<PersonId>, DbErr> {
    let sql = "SELECT person FROM lead_email_setting WHERE org = $1 AND hot_leads ORDER BY person";
    rows(conn, sql, [org.into()]).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Returns the people who want the weekly summary.
pub async fn wanting_weekly(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<PersonId>, DbErr> {
    let sql = "SELECT person FROM lead_email_setting WHERE org = $1 AND weekly_summary ORDER BY person";
    rows(conn, sql, [org.into()]).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Returns whether emails about the lead were planned after `after`.
pub async fn is_planned(conn: &impl ConnectionTrait, lead: LeadKey, after: Timestamp) -> Result<bool, DbErr> {
    let sql = "SELECT topic FROM lead_email WHERE org = $1 AND person = $2 AND created_at > $3 LIMIT 1";
    Ok(!rows(conn, sql, [lead.org.into(), lead.person.into(), after.into()]).await?.is_empty())
}

/// Plans emails about the lead, under a topic.
pub async fn plan(tx: &WriteTx, topic: Uid, lead: LeadKey, now: Timestamp) -> Result<(), DbErr> {
    let sql = "INSERT INTO lead_email (topic, org, person, written, created_at) \
         VALUES ($1, $2, $3, FALSE, $4)";
    execute(tx, sql, [topic.into(), lead.org.into(), lead.person.into(), now.into()]).await.map(drop)
}

/// Marks planned emails as written. Returns the lead, or `None` if they were written before or the lead is gone.
pub async fn take(tx: &WriteTx, org: OrgId, topic: Uid) -> Result<Option<LeadKey>, DbErr> {
    let sql = "UPDATE lead_email SET written = TRUE WHERE topic = $1 AND org = $2 AND NOT written \
         RETURNING person";
    let taken = rows(tx, sql, [topic.into(), org.into()]).await?;
    taken.first().map(|row| Ok(LeadKey { org, person: row.try_get_by_index(0)? })).transpose()
}

/// Returns the lead that emails with this topic are about. Looks it up without an organisation, because the
/// organisation whose staff may get the email is what the caller needs.
pub async fn lead_of(conn: &impl ConnectionTrait, topic: Uid) -> Result<Option<LeadKey>, DbErr> {
    let sql = "SELECT org, person FROM lead_email WHERE topic = $1";
    let found = rows(conn, sql, [topic.into()]).await?;
    let key =
        |row: &QueryResult| Ok(LeadKey { org: row.try_get_by_index(0)?, person: row.try_get_by_index(1)? });
    found.first().map(key).transpose()
}

/// Forgets the emails about a lead and returns their topics.
pub async fn forget(tx: &WriteTx, lead: LeadKey) -> Result<Vec<Uid>, DbErr> {
    let sql = "DELETE FROM lead_email WHERE org = $1 AND person = $2 RETURNING topic";
    rows(tx, sql, [lead.org.into(), lead.person.into()])
        .await?
        .iter()
        .map(|row| row.try_get_by_index(0))
        .collect()
}

/// Returns whether emails written before `before` are recorded.
pub async fn any_before(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    let sql = "SELECT topic FROM lead_email WHERE created_at < $1 LIMIT 1";
    Ok(!rows(conn, sql, [before.into()]).await?.is_empty())
}

/// Forgets up to `limit` emails that were written before `before`. Returns their number.
pub async fn remove_before(tx: &WriteTx, before: Timestamp, limit: i64) -> Result<u64, DbErr> {
    let sql = "DELETE FROM lead_email WHERE topic IN \
         (SELECT topic FROM lead_email WHERE created_at < $1 LIMIT $2)";
    execute(tx, sql, [before.into(), limit.into()]).await
}

/// Stores when the next weekly summary of an organisation is due, unless that is known.
pub async fn plan_summary(tx: &WriteTx, org: OrgId, due_at: Timestamp) -> Result<(), DbErr> {
    let sql = "INSERT INTO lead_summary (org, due_at) VALUES ($1, $2) ON CONFLICT (org) DO NOTHING";
    execute(tx, sql, [org.into(), due_at.into()]).await.map(drop)
}

/// Moves a summary that is due by `now` to `next`. Returns when it was due, or `None` if it is not due.
pub async fn take_summary(
    tx: &WriteTx,
    org: OrgId,
    now: Timestamp,
    next: Timestamp,
) -> Result<Option<Timestamp>, DbErr> {
    let due =
        rows(tx, "SELECT due_at FROM lead_summary WHERE org = $1 AND due_at <= $2", [org.into(), now.into()])
            .await?;
    let Some(due) = due.first() else { return Ok(None) };
    let sql = "UPDATE lead_summary SET due_at = $2 WHERE org = $1";
    execute(tx, sql, [org.into(), next.into()]).await?;
    Ok(Some(due.try_get_by_index(0)?))
}

/// Ends the weekly summaries of an organisation.
pub async fn end_summary(tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
    execute(tx, "DELETE FROM lead_summary WHERE org = $1", [org.into()]).await.map(drop)
}

/// Returns organisations whose summary is due by `now`.
pub async fn summaries_due(
    conn: &impl ConnectionTrait,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<OrgId>, DbErr> {
    let sql = "SELECT org FROM lead_summary WHERE due_at <= $1 ORDER BY due_at LIMIT $2";
    rows(conn, sql, [now.into(), limit.into()]).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}
