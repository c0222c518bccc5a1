//! When the account admins were last informed that the plan allows no more app users.

use sea_orm_migration::prelude::*;

/// Adds `organisation.full_reported_at`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261127_01_full_report"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("full_reported_at").big_integer().not_null().default(0).to_owned();
        manager.alter_table(Table::alter().table("organisation").add_column(column).to_owned()).await
    }
}
