//! The rest of what the provider says about a subscription: how often the price is paid, and why it ends.

use sea_orm_migration::prelude::*;

/// Adds `provision.quantity` and `provision.end_reason`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261126_03_whole_answers"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let quantity = ColumnDef::new("quantity").big_integer().not_null().default(1).to_owned();
        let reason = ColumnDef::new("end_reason").text().null().to_owned();
        for column in [quantity, reason] {
            manager.alter_table(Table::alter().table("provision").add_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
