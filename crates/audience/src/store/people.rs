//! All people an organisation knows: members and people who answered its notice, one row per person. Reads
//! tables of identity and orgs and writes none of them. Members with a role that this version does not know
//! are left out: such a membership grants nothing.

use db::Stored;
use db::search::pattern;
use kernel::{Keyset, MembershipId, OrgId, PersonId, Timestamp, Uid};
use orgs::Role;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

/// A person on the Users screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgPerson {
    pub person: PersonId,
    /// The membership's id; `None` for people who are not members.
    pub membership: Option<MembershipId>,
    /// `User` for people who are not members.
    pub role: Role,
    pub joined_at: Option<Timestamp>,
    /// Latest answer and its time.
    pub consent: Option<(bool, Timestamp)>,
}

/// Filter of the list.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Part of a name, the email address or the company.
    pub search: Option<String>,
    /// Only managers, account admins and super admins.
    pub admins: bool,
}

/// People to select from. $1 organisation, $2 person after whom the page starts, $3 page size.
const PEOPLE: &str = "SELECT person FROM membership WHERE org = $1 AND person < $2 \
     UNION SELECT person FROM consent_standing WHERE org = $1 AND person < $2";
/// The same without a search: each part returns at most one page.
const PAGE_OF_PEOPLE: &str = "SELECT person FROM (SELECT person FROM membership \
         WHERE org = $1 AND person < $2 \
         AND role IN ('user', 'teamUser', 'teamLeader', 'manager', 'accountAdmin', 'superAdmin') \
         ORDER BY person DESC LIMIT $3) members \
     UNION SELECT person FROM (SELECT person FROM consent_standing s \
         WHERE org = $1 AND person < $2 \
         AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.org = $1 AND m.person = s.person \
             AND m.role NOT IN ('user', 'teamUser', 'teamLeader', 'manager', 'accountAdmin', 'superAdmin')) \
         ORDER BY person DESC LIMIT $3) answered";
const ADMINS: &str = "SELECT person FROM membership WHERE org = $1 AND person < $2 \
     AND role IN ('manager', 'accountAdmin', 'superAdmin')";
const COLUMNS: &str = "SELECT e.person, m.uid AS membership, m.role, m.created_at AS joined_at, s.consent, s.created_at AS answered_at";
const JOINS: &str = "JOIN person p ON p.uid = e.person \
     LEFT JOIN membership m ON m.org = $1 AND m.person = e.person \
     LEFT JOIN consent_standing s ON s.org = $1 AND s.person = e.person \
     WHERE COALESCE(m.role, 'user') \
         IN ('user', 'teamUser', 'teamLeader', 'manager', 'accountAdmin', 'superAdmin')";
/// $4 the pattern. Only the display name is searched for people whose profile the organisation may not see.
const SEARCH: &str = "AND CASE WHEN m.role IS NULL AND s.consent IS NOT TRUE THEN p.display_name_folded \
     ELSE p.search_folded END LIKE $4 ESCAPE '\\'";
const TOTAL: &str = "SELECT (SELECT COUNT(*) FROM membership WHERE org = $1 \
            AND role IN ('user', 'teamUser', 'teamLeader', 'manager', 'accountAdmin', 'superAdmin')) \
         + (SELECT COUNT(*) FROM consent_standing s WHERE s.org = $1 AND NOT EXISTS \
            (SELECT 1 FROM membership m WHERE m.person = s.person AND m.org = s.org)) AS total";
const ORDER: &str = "ORDER BY e.person DESC LIMIT $3";

/// Returns a page of the organisation's people, newest person first.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    filter: &Filter,
    keyset: Keyset,
) -> Result<Vec<OrgPerson>, DbErr> {
    let after = keyset.start_after.unwrap_or(Uid::max());
    let limit = i64::try_from(keyset.limit).unwrap_or(i64::MAX);
    let mut values: Vec<Value> = vec![org.into(), after.into(), limit.into()];
    let people = match filter {
        Filter { admins: true, .. } => ADMINS,
        Filter { search: Some(_), .. } => PEOPLE,
        Filter { .. } => PAGE_OF_PEOPLE,
    };
    let search = filter.search.as_deref().map_or("", |search| {
        values.push(pattern(search).into());
        SEARCH
    });
    let sql = format!("{COLUMNS} FROM ({people}) e {JOINS} {search} {ORDER}");
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    conn.query_all_raw(statement).await?.iter().map(org_person).collect()
}

fn org_person(row: &QueryResult) -> Result<OrgPerson, DbErr> {
    let person: PersonId = row.try_get("", "person")?;
    let role: Option<Stored<Role>> = row.try_get("", "role")?;
    let role = match role {
        Some(role) => role.known("membership", "role", person)?,
        None => Role::User,
    };
    let consent: Option<bool> = row.try_get("", "consent")?;
    let answered_at: Option<Timestamp> = row.try_get("", "answered_at")?;
    Ok(OrgPerson {
        person,
        membership: row.try_get("", "membership")?,
        role,
        joined_at: row.try_get("", "joined_at")?,
        consent: consent.zip(answered_at),
    })
}

/// Returns the number of people the organisation knows; a search does not change it.
pub async fn count(conn: &impl ConnectionTrait, org: OrgId) -> Result<i64, DbErr> {
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), TOTAL, [org.into()]);
    let row = conn.query_one_raw(statement).await?;
    row.map_or(Ok(0), |row| row.try_get("", "total"))
}

#[cfg(test)]
mod tests {
    use sea_orm::ActiveEnum as _;

    use super::*;

    #[test]
    fn every_role_is_listed() {
        for role in Role::ALL {
            let word = format!("'{}'", role.to_value());
            assert_eq!(PAGE_OF_PEOPLE.matches(&word).count(), 2, "{word}");
            assert!(JOINS.contains(&word) && TOTAL.contains(&word), "{word}");
        }
    }
}
