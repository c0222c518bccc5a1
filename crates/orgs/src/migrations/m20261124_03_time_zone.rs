//! The time zone of an organisation's reports.

use sea_orm_migration::prelude::*;

/// Adds the column, UTC in existing rows.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261124_03_time_zone"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("time_zone").text().not_null().default("UTC").to_owned();
        manager.alter_table(Table::alter().table("organisation").add_column(column).to_owned()).await
    }
}
