//! From which trace a job was enqueued.

use sea_orm_migration::prelude::*;

/// Adds `job.trace`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "jobs_20261126_01_trace"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let trace = ColumnDef::new("trace").text().null().to_owned();
        manager.alter_table(Table::alter().table("job").add_column(trace).to_owned()).await
    }
}
