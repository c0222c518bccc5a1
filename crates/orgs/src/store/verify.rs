//! Rows that disagree with the memberships from which they are derived, and organisations without a super admin.

use kernel::{OrgId, PersonId};
use sea_orm::{ConnectionTrait, DbErr, Statement};

/// Organisations without a super admin.
const NO_ADMIN: &str = "SELECT o.uid FROM organisation o WHERE o.deleted_at IS NULL AND o.standing <> 'ended' \
     AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.org = o.uid AND m.role = 'superAdmin') ORDER BY o.uid";

/// Members without the row by which lists show them, and rows whose membership no longer exists.
const PEOPLE: &str = "SELECT t.org, t.person FROM ( \
     SELECT m.org, m.person FROM membership m \
     LEFT JOIN org_person e ON e.org = m.org AND e.person = m.person \
     WHERE e.membership IS NULL OR e.membership <> m.uid OR e.role <> m.role \
     UNION SELECT e.org, e.person FROM org_person e LEFT JOIN membership m ON m.uid = e.membership \
     WHERE e.membership IS NOT NULL AND m.uid IS NULL) t \
     JOIN organisation o ON o.uid = t.org WHERE o.purge_began_at IS NULL ORDER BY 1, 2";

/// Organisations whose number of people is not that of their rows.
const COUNTS: &str = "SELECT o.uid, o.person_count, (SELECT COUNT(*) FROM org_person e WHERE e.org = o.uid) \
     FROM organisation o WHERE o.purge_began_at IS NULL \
     AND o.person_count <> (SELECT COUNT(*) FROM org_person e WHERE e.org = o.uid) ORDER BY o.uid";

/// Makes the number of people that of the rows.
const RECOUNT: &str = "UPDATE organisation SET person_count = \
     (SELECT COUNT(*) FROM org_person e WHERE e.org = $1) WHERE uid = $1";

/// Returns the organisations that have a plan and no super admin.
pub async fn without_admin(conn: &impl ConnectionTrait) -> Result<Vec<OrgId>, DbErr> {
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), NO_ADMIN)).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Returns the people whose row is not that of their membership.
pub async fn people(conn: &impl ConnectionTrait) -> Result<Vec<(OrgId, PersonId)>, DbErr> {
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), PEOPLE)).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Returns the organisations whose number of people is wrong, with that number and the right one.
pub async fn counts(conn: &impl ConnectionTrait) -> Result<Vec<(OrgId, i64, i64)>, DbErr> {
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), COUNTS)).await?;
    rows.iter()
        .map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?)))
        .collect()
}

/// Counts the people of an organisation again.
pub async fn recount(tx: &impl ConnectionTrait, org: OrgId) -> Result<(), DbErr> {
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), RECOUNT, [org.into()]);
    tx.execute_raw(statement).await.map(drop)
}
