//! Finds the totals of an organisation's items without reading the items.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

/// Creates the index on SQLite. On PostgreSQL it would make each update of a counter an update of all indexes.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261130_02_totals_index"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        if connection.get_database_backend() != DbBackend::Sqlite {
            return Ok(());
        }
        // An index of only the items that are not deleted would not be enough to answer whether they are.
        let index = "CREATE INDEX content_totals ON content (org, deleted_at, uid, views, watch_ms)";
        connection.execute_unprepared(index).await.map(drop)
    }
}
