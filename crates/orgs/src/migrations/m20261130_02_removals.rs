//! What people withdrew or had erased, for the list beside backups.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, boolean, string, uuid};

/// Creates `removal`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261130_02_removals"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("removal")
            .col(uuid("org"))
            .col(uuid("person"))
            .col(string("kind"))
            .col(big_integer("at"))
            .col(boolean("is_listed"))
            .primary_key(Index::create().col("org").col("person").col("kind"))
            .to_owned();
        manager.create_table(table).await?;
        // For the erasure of an account, and for the removal of old rows.
        manager.create_index(db::index("removal_person", "removal", &["person"])).await?;
        manager.create_index(db::index("removal_at", "removal", &["at"])).await?;
        let unlisted = "CREATE INDEX removal_unlisted ON removal (at) WHERE NOT is_listed";
        manager.get_connection().execute_unprepared(unlisted).await.map(drop)
    }
}
