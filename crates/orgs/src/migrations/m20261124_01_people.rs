//! The people an organisation knows, one row each, and the words they are found by.

use kernel::{OrgId, PersonId};
use sea_orm::{ConnectionTrait, Statement};
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer_null, binary, boolean_null, string, uuid, uuid_null};

/// People whose words are written at once.
const PAGE: i64 = 500;

/// Creates `org_person` and `org_person_word`, and fills them.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261124_01_people"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(org_person()).await?;
        manager.create_table(org_person_word()).await?;
        for index in [
            db::index("membership_org_staff", "membership", &["org", "uid"])
                .and_where(Expr::cust("role <> 'user'"))
                .to_owned(),
            db::index("org_person_person", "org_person", &["person"]),
            db::index("org_person_admin", "org_person", &["org", "person"])
                .and_where(Expr::cust("role IN ('manager', 'accountAdmin', 'superAdmin')"))
                .to_owned(),
            // For a search in the order of the list, and for changes of a person's words.
            db::index("org_person_word_person", "org_person_word", &["org", "person", "word"]),
        ] {
            manager.create_index(index).await?;
        }
        let count = ColumnDef::new("person_count").big_integer().not_null().default(0).to_owned();
        manager.alter_table(Table::alter().table("organisation").add_column(count).to_owned()).await?;
        // A new database has no people yet, and the table of another crate does not exist.
        if manager.has_table("consent_standing").await? {
            fill(manager.get_connection()).await?;
        }
        Ok(())
    }
}

fn org_person() -> TableCreateStatement {
    Table::create()
        .table("org_person")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(uuid_null("membership"))
        .col(string("role"))
        .col(big_integer_null("joined_at"))
        .col(boolean_null("consent"))
        .col(big_integer_null("answered_at"))
        .col(big_integer_null("blocked_at"))
        .primary_key(Index::create().col("org").col("person"))
        .foreign_key(ForeignKey::create().from("org_person", "org").to("organisation", "uid"))
        .foreign_key(ForeignKey::create().from("org_person", "person").to("person", "uid"))
        .to_owned()
}

fn org_person_word() -> TableCreateStatement {
    Table::create()
        .table("org_person_word")
        .col(uuid("org"))
        .col(binary("word"))
        .col(uuid("person"))
        .primary_key(Index::create().col("org").col("word").col("person"))
        .to_owned()
}

/// Copies the people that memberships and answers to the notice name, and stores their words.
async fn fill(conn: &impl ConnectionTrait) -> Result<(), DbErr> {
    for sql in [
        "INSERT INTO org_person (org, person, membership, role, joined_at) \
         SELECT org, person, uid, role, created_at FROM membership",
        "INSERT INTO org_person (org, person, role, consent, answered_at) \
         SELECT org, person, 'user', consent, created_at FROM consent_standing WHERE true \
         ON CONFLICT (org, person) DO UPDATE SET consent = excluded.consent, answered_at = excluded.answered_at",
        "UPDATE organisation SET person_count = \
         (SELECT COUNT(*) FROM org_person p WHERE p.org = organisation.uid)",
    ] {
        conn.execute_unprepared(sql).await?;
    }
    let mut after = (OrgId::nil(), PersonId::nil());
    loop {
        let select = Statement::from_sql_and_values(
            conn.get_database_backend(),
            "SELECT e.org, e.person, CASE WHEN e.membership IS NULL AND e.consent IS NOT TRUE \
             THEN p.display_name_folded ELSE p.search_folded END FROM org_person e \
             JOIN person p ON p.uid = e.person WHERE (e.org, e.person) > ($1, $2) \
             ORDER BY e.org, e.person LIMIT $3",
            [after.0.into(), after.1.into(), PAGE.into()],
        );
        let mut words = Vec::new();
        let page = conn.query_all_raw(select).await?;
        for row in &page {
            let text: String = row.try_get_by_index(2)?;
            after = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
            for word in db::search::words(&text) {
                words.push([after.0.into(), word.into_bytes().into(), after.1.into()]);
            }
        }
        db::rows::bulk_upsert(conn, "org_person_word (org, word, person)", &words, "").await?;
        if page.is_empty() {
            return Ok(());
        }
    }
}
