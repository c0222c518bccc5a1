//! The time from which an organisation that is past due is suspended.

use sea_orm_migration::prelude::*;

/// Adds the column, empty until the payment provider answers again.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261126_01_suspension"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("suspended_from").big_integer().null().to_owned();
        manager.alter_table(Table::alter().table("organisation").add_column(column).to_owned()).await
    }
}
