//! The buyer's time zone.

use sea_orm_migration::prelude::*;

/// Adds `provision.time_zone`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261126_01_time_zone"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("time_zone").text().null().to_owned();
        manager.alter_table(Table::alter().table("provision").add_column(column).to_owned()).await
    }
}
