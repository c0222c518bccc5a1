//! How much of the credit of a view was refused by the limits of its viewer.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::big_integer;

/// Adds the column. What was refused before is not known, and counts for no view that has a verdict.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261130_01_refused"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = big_integer("refused_ms").default(0).to_owned();
        manager.alter_table(Table::alter().table("viewing").add_column(column).to_owned()).await
    }
}
