//! Adds an index of the deleted items of an organisation. It replaces `content_totals`, which nothing reads any more.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

/// Replaces the index `content_totals`, which was on SQLite only.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261130_03_deleted_index"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        if connection.get_database_backend() == DbBackend::Sqlite {
            connection.execute_unprepared("DROP INDEX content_totals").await?;
        }
        let index = "CREATE INDEX content_deleted_of_org ON content (org, uid) WHERE deleted_at IS NOT NULL";
        connection.execute_unprepared(index).await.map(drop)
    }
}
