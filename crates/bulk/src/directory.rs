//! The list of people of each organisation, and the words by which they are found.

use db::WriteTx;
use kernel::{OrgId, PersonId};
use sea_orm::{ConnectionTrait as _, DbErr, Statement};

/// People whose words are written at once.
const PAGE: i64 = 1_000;

/// What follows from memberships and consents.
const LISTED: [&str; 3] = [
    "INSERT INTO org_person (org, person, membership, role, joined_at) \
     SELECT org, person, uid, role, created_at FROM membership",
    "UPDATE org_person SET (consent, answered_at) = (SELECT s.consent, s.created_at FROM consent_standing s \
     WHERE s.org = org_person.org AND s.person = org_person.person)",
    "UPDATE organisation SET person_count = (SELECT COUNT(*) FROM org_person p WHERE p.org = organisation.uid)",
];

const NEXT: &str = "SELECT m.org, m.person, p.search_folded FROM membership m JOIN person p ON p.uid = m.person \
    WHERE (m.org, m.person) > ($1, $2) ORDER BY m.org, m.person LIMIT $3";

/// Lists the members of all organisations.
///
/// # Errors
/// If the database fails.
pub async fn list_people(tx: &WriteTx) -> Result<(), DbErr> {
    for sql in LISTED {
        tx.execute_unprepared(sql).await?;
    }
    let mut after = (OrgId::nil(), PersonId::nil());
    loop {
        let values = [after.0.into(), after.1.into(), PAGE.into()];
        let select = Statement::from_sql_and_values(tx.get_database_backend(), NEXT, values);
        let page = tx.query_all_raw(select).await?;
        if page.is_empty() {
            return Ok(());
        }
        let mut words = Vec::new();
        for row in &page {
            after = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
            let text: String = row.try_get_by_index(2)?;
            let found = db::search::words(&text).into_iter();
            words.extend(found.map(|word| [after.0.into(), word.into_bytes().into(), after.1.into()]));
        }
        db::rows::bulk_upsert(tx, "org_person_word (org, word, person)", &words, "").await?;
    }
}
