//! Recipients of announcements: app users with a verified address who have not unsubscribed. Reads tables of
//! identity and orgs and writes none of them.

use kernel::{OrgId, PersonId};
use sea_orm::{ConnectionTrait, DbErr, Statement};

/// A recipient with the stored address.
pub struct Recipient {
    pub person: PersonId,
    pub email: String,
}

/// $1 the organisation; conditions on $2, a person, are appended.
const RECIPIENTS: &str = "SELECT m.person, p.email FROM org_person m JOIN person p ON p.uid = m.person \
     WHERE m.org = $1 AND m.role = 'user' AND m.membership IS NOT NULL AND p.email_verified \
     AND NOT EXISTS (SELECT 1 FROM unsubscribe s WHERE s.org = m.org AND s.person = m.person)";

/// Returns the next recipients in order of person id, which stays the same if a person leaves and rejoins.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    after: Option<PersonId>,
    limit: u64,
) -> Result<Vec<Recipient>, DbErr> {
    let after = after.unwrap_or(PersonId::nil());
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let sql = format!("{RECIPIENTS} AND m.person > $2 ORDER BY m.person LIMIT $3");
    let values = [org.into(), after.into(), limit.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| Ok(Recipient { person: row.try_get_by_index(0)?, email: row.try_get_by_index(1)? }))
        .collect()
}

/// Returns whether the person is currently a recipient.
pub async fn is_recipient(conn: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<bool, DbErr> {
    let sql = format!("{RECIPIENTS} AND m.person = $2");
    let values = [org.into(), person.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    Ok(conn.query_one_raw(statement).await?.is_some())
}
