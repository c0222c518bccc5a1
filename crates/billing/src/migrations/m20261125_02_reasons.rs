//! Why a purchase is in its state, and when another one took its place.

use sea_orm_migration::prelude::*;

/// Adds `provision_change.reason`, `provision.recorded_reason` and `provision.replaced_at`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261125_02_reasons"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let text = |name: &'static str| ColumnDef::new(name).text().null().to_owned();
        let replaced_at = ColumnDef::new("replaced_at").big_integer().null().to_owned();
        for change in [
            Table::alter().table("provision_change").add_column(text("reason")).to_owned(),
            Table::alter().table("provision").add_column(text("recorded_reason")).to_owned(),
            Table::alter().table("provision").add_column(replaced_at).to_owned(),
        ] {
            manager.alter_table(change).await?;
        }
        Ok(())
    }
}
