//! How often an email was tried, and by which job.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer_null, integer, uuid_null};

pub(crate) struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "mail_20261120_02_attempts"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // One column per statement: SQLite allows no more.
        let columns =
            [integer("attempts").default(0).take(), big_integer_null("attempted_at"), uuid_null("job")];
        for column in columns {
            let mut table = Table::alter();
            manager.alter_table(table.table("mail_outbox").add_column(column).to_owned()).await?;
        }
        manager
            .create_index(
                Index::create()
                    .name("mail_outbox_state")
                    .table("mail_outbox")
                    .col("state")
                    .col("uid")
                    .to_owned(),
            )
            .await
    }
}
