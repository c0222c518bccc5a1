//! On SQLite, packs are stored by rowid instead of in key order: in key order, comparing a key reads its whole row, so a
//! year of packs was read several times over. PostgreSQL stores rows apart from keys anyway.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use super::m20261127_01_person_packs::person_pack;
use super::m20261127_02_packed_days::view_pack;

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
        for (mut table, name) in
            [(view_pack(), "view_pack_by_number"), (person_pack(), "person_pack_by_number")]
        {
            manager.create_table(table.table(name).to_owned()).await?;
        }
        for sql in MOVE {
            connection.execute_unprepared(sql).await?;
        }
        manager.create_index(db::index("view_pack_age", "view_pack", &["week"])).await
    }
}
