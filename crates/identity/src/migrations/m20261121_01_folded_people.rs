//! Case-folded texts for searching people, in every script.

use db::search::folded;
use kernel::Uid;
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::text;

/// Rows read per query.
const CHUNK: i64 = 500;

/// Adds `person.display_name_folded` and `person.search_folded`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "identity_20261121_01_folded_people"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in ["display_name_folded", "search_folded"] {
            let add = Table::alter().table("person").add_column(text(column).default("").take()).to_owned();
            manager.alter_table(add).await?;
        }
        fill(manager.get_connection()).await
    }
}

#[derive(FromQueryResult)]
struct PersonRow {
    uid: Uid,
    display_name: String,
    email: String,
    company: String,
    first_name: String,
    last_name: String,
}

async fn fill(conn: &impl ConnectionTrait) -> Result<(), DbErr> {
    let backend = conn.get_database_backend();
    let mut after = Uid::nil();
    loop {
        let page = Statement::from_sql_and_values(
            backend,
            "SELECT uid, display_name, email, company, first_name, last_name FROM person \
             WHERE uid > $1 ORDER BY uid LIMIT $2",
            [after.into(), CHUNK.into()],
        );
        let rows = PersonRow::find_by_statement(page).all(conn).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.uid;
        for row in &rows {
            let name = format!("{} {}", row.first_name, row.last_name);
            let all =
                [&row.display_name, &row.email, &row.company, &name].map(|text| folded(text)).join("\n");
            let write = Statement::from_sql_and_values(
                backend,
                "UPDATE person SET display_name_folded = $1, search_folded = $2 WHERE uid = $3",
                [folded(&row.display_name).into(), all.into(), row.uid.into()],
            );
            conn.execute_raw(write).await?;
        }
    }
}
