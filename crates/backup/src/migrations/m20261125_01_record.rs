//! The last scheduled backups.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer_null, integer, text};

/// Creates `backup_record`.
pub(crate) struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "backup_20261125_01_record"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("backup_record")
            .col(integer("number").primary_key())
            .col(text("repository"))
            .col(big_integer_null("began_at"))
            .col(big_integer_null("succeeded_at"))
            .col(big_integer_null("failed_at"))
            .col(text("failure"))
            .to_owned();
        manager.create_table(table).await
    }
}
