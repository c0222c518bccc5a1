//! The index of the most viewed items of a period includes the ids of the items. PostgreSQL expects few items of a period, and would rather
//! read and sort all of them than look up the items of a list in the table. On SQLite, the index has the key anyway.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

/// Makes the index anew on PostgreSQL.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261128_01_listed_items"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        if connection.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        connection.execute_unprepared("DROP INDEX watch_period_views").await?;
        let index =
            "CREATE INDEX watch_period_views ON watch_period (org, list, period, views) INCLUDE (item)";
        connection.execute_unprepared(index).await.map(drop)
    }
}
