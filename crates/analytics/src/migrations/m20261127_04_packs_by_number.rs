//! On SQLite, packs are stored by row number instead of in key order: in key order, comparing a key reads its whole row, so
//! a year of packs was read several times over. PostgreSQL stores rows apart from keys anyway.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, binary, uuid};
use sea_orm_migration::sea_orm::DbBackend;

/// Makes the tables anew, with the same rows.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261127_04_packs_by_number"
    }
}

const MOVE: [&str; 6] = [
    "INSERT INTO view_pack_by_number (org, subject, week, audience, data) \
     SELECT org, subject, week, audience, data FROM view_pack ORDER BY org, subject, week",
    "DROP TABLE view_pack",
    "ALTER TABLE view_pack_by_number RENAME TO view_pack",
    "INSERT INTO person_pack_by_number (org, person, since, period, data) \
     SELECT org, person, since, period, data FROM person_pack ORDER BY org, person, since, period",
    "DROP TABLE person_pack",
    "ALTER TABLE person_pack_by_number RENAME TO person_pack",
];

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        if connection.get_database_backend() != DbBackend::Sqlite {
            return Ok(());
        }
        for table in [view_pack(), person_pack()] {
            manager.create_table(table).await?;
        }
        for sql in MOVE {
            connection.execute_unprepared(sql).await?;
        }
        manager.create_index(db::index("view_pack_age", "view_pack", &["week"])).await
    }
}

fn view_pack() -> TableCreateStatement {
    Table::create()
        .table("view_pack_by_number")
        .col(uuid("org"))
        .col(uuid("subject"))
        .col(big_integer("week"))
        .col(binary("audience"))
        .col(binary("data"))
        .primary_key(Index::create().col("org").col("subject").col("week"))
        .to_owned()
}

fn person_pack() -> TableCreateStatement {
    Table::create()
        .table("person_pack_by_number")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(big_integer("since"))
        .col(big_integer("period"))
        .col(binary("data"))
        .primary_key(Index::create().col("org").col("person").col("since").col("period"))
        .to_owned()
}
