//! What the payment provider refused of an account's details.

use sea_orm_migration::prelude::*;

/// Adds `billing_account.refusal`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261127_03_refusal"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("refusal").text().null().to_owned();
        manager.alter_table(Table::alter().table("billing_account").add_column(column).to_owned()).await
    }
}
