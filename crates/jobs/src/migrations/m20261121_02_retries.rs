//! Records when a job was first attempted and how often its worker died.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer_null, integer};

/// Adds `job.first_attempt_at` and `job.crashes`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "jobs_20261121_02_retries"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds only one column per statement.
        for column in [big_integer_null("first_attempt_at"), integer("crashes").default(0).take()] {
            let mut table = Table::alter();
            manager.alter_table(table.table("job").add_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
