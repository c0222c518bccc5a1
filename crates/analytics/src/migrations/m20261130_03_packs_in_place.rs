//! Packs are stored as they are on PostgreSQL.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

/// Keeps packs of a few kilobytes in their rows: PostgreSQL would put them into another table and look each of them up there.
/// No pack is compressed, because decompressing it takes longer than reading it. Packs that are already stored stay as they
/// are.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261130_03_packs_in_place"
    }
}

/// The target is the highest one for pages of 8 kB.
const CHANGES: [&str; 4] = [
    "ALTER TABLE person_pack SET (toast_tuple_target = 8160)",
    "ALTER TABLE person_pack ALTER COLUMN data SET STORAGE EXTERNAL",
    "ALTER TABLE view_pack SET (toast_tuple_target = 8160)",
    "ALTER TABLE total_pack ALTER COLUMN data SET STORAGE EXTERNAL",
];

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        if connection.get_database_backend() == DbBackend::Postgres {
            for change in CHANGES {
                connection.execute_unprepared(change).await?;
            }
        }
        Ok(())
    }
}
