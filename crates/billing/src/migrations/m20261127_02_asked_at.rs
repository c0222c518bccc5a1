//! When a page that waits for a purchase last made the server ask the provider.

use sea_orm_migration::prelude::*;

/// Adds `provision.asked_at`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261127_02_asked_at"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("asked_at").big_integer().not_null().default(0).to_owned();
        manager.alter_table(Table::alter().table("provision").add_column(column).to_owned()).await
    }
}
