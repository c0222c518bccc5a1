//! The queue's table.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, integer, json, string, string_null, text_null, uuid,
};

/// Creates `job`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "jobs_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(job()).await?;
        for index in [db::index("job_claim", "job", &["state", "due_at"])] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn job() -> TableCreateStatement {
    Table::create()
        .table("job")
        .col(uuid("uid").primary_key())
        .col(string("kind"))
        .col(json("payload"))
        .col(string("state"))
        .col(big_integer("due_at"))
        .col(integer("attempt"))
        .col(big_integer_null("first_attempt_at"))
        .col(integer("crashes").default(0))
        .col(integer("max_crashes"))
        .col(big_integer_null("lease_until"))
        .col(string_null("worker"))
        .col(text_null("last_error"))
        .col(big_integer("created_at"))
        .col(big_integer_null("finished_at"))
        .col(string_null("schedule").unique_key())
        .to_owned()
}
