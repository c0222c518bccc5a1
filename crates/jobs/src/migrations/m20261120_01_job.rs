//! Creates the queue's table.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, integer, json, string, string_null, text_null, uuid,
};

/// Creates `job`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "jobs_20261120_01_job"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("job")
                    .col(uuid("uid").primary_key())
                    .col(string("kind"))
                    .col(json("payload"))
                    .col(string("state"))
                    .col(big_integer("due_at"))
                    .col(integer("attempt"))
                    .col(integer("max_crashes"))
                    .col(big_integer_null("lease_until"))
                    .col(string_null("worker"))
                    .col(text_null("last_error"))
                    .col(big_integer("created_at"))
                    .col(big_integer_null("finished_at"))
                    .col(string_null("schedule").unique_key())
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create().name("job_claim").table("job").col("state").col("due_at").to_owned(),
            )
            .await
    }
}
