//! When those who pay were told that the data of a deleted organisation will be removed.

use sea_orm_migration::prelude::*;

/// Adds the column.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261129_01_removal_announced"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("removal_announced_at").big_integer().null().to_owned();
        manager.alter_table(Table::alter().table("organisation").add_column(column).to_owned()).await
    }
}
