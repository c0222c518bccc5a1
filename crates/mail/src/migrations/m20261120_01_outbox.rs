//! The outbox.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string, text, uuid};

pub(crate) struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "mail_20261120_01_outbox"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("mail_outbox")
                    .col(uuid("uid").primary_key())
                    .col(string("recipient"))
                    .col(string("kind"))
                    .col(string("subject"))
                    .col(text("text_body"))
                    .col(text("html_body"))
                    .col(string("state"))
                    .col(string("last_error"))
                    .col(big_integer("time_created"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("mail_outbox_recipient")
                    .table("mail_outbox")
                    .col("recipient")
                    .col("uid")
                    .to_owned(),
            )
            .await
    }
}
