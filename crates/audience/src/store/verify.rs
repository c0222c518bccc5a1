//! Current answers that disagree with the records, or with what lists of people show.

use kernel::{OrgId, PersonId};
use sea_orm::{ConnectionTrait, DbErr, Statement};

/// Current answers that are not the latest record.
const RECORDS: &str = "SELECT s.org, s.person FROM consent_standing s JOIN consent c ON c.uid = s.record \
     WHERE c.org <> s.org OR c.person <> s.person OR c.consent <> s.consent \
     OR EXISTS (SELECT 1 FROM consent n WHERE n.org = s.org AND n.person = s.person \
     AND n.created_at > c.created_at) ORDER BY 1, 2";

/// Current answers that lists of people do not show.
const SHOWN: &str = "SELECT s.org, s.person FROM consent_standing s \
     LEFT JOIN org_person e ON e.org = s.org AND e.person = s.person \
     WHERE e.consent IS NULL OR e.consent <> s.consent ORDER BY 1, 2";

/// Returns the people whose current answer is not their latest record.
pub async fn records(conn: &impl ConnectionTrait) -> Result<Vec<(OrgId, PersonId)>, DbErr> {
    read(conn, RECORDS).await
}

/// Returns the people whose current answer is not the one that lists show.
pub async fn shown(conn: &impl ConnectionTrait) -> Result<Vec<(OrgId, PersonId)>, DbErr> {
    read(conn, SHOWN).await
}

async fn read(conn: &impl ConnectionTrait, sql: &'static str) -> Result<Vec<(OrgId, PersonId)>, DbErr> {
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), sql)).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}
