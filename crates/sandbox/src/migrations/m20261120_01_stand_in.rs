//! Objects and calls of the stand-ins, and the test clock.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, integer, json, string, text};

/// Creates the three tables.
pub(crate) struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "sandbox_20261120_01_stand_in"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("sandbox_object")
                    .col(string("id").primary_key())
                    .col(string("kind"))
                    .col(string("owner"))
                    .col(string("reference"))
                    .col(json("body"))
                    .col(json("inner"))
                    .col(big_integer_null("due"))
                    .col(big_integer("time_created"))
                    .to_owned(),
            )
            .await?;
        for (name, column) in [("owner", "owner"), ("reference", "reference"), ("due", "due")] {
            manager
                .create_index(
                    Index::create()
                        .name(format!("sandbox_object_{name}"))
                        .table("sandbox_object")
                        .col("kind")
                        .col(column)
                        .to_owned(),
                )
                .await?;
        }
        manager
            .create_table(
                Table::create()
                    .table("sandbox_call")
                    .col(string("key").primary_key())
                    .col(text("request"))
                    .col(json("response"))
                    .col(big_integer("time_created"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("sandbox_clock")
                    .col(integer("id").primary_key())
                    .col(big_integer("offset_ms"))
                    .to_owned(),
            )
            .await
    }
}
