//! Bulk email: subject, recipient and unsubscribe address.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{text, uuid_null};

pub(crate) struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "mail_20261120_03_bulk"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // One column per statement: SQLite allows no more.
        let columns = [uuid_null("topic"), uuid_null("person"), text("unsubscribe_url").default("").take()];
        for column in columns {
            let mut table = Table::alter();
            manager.alter_table(table.table("mail_outbox").add_column(column).to_owned()).await?;
        }
        // Other emails have NULL here, and NULLs do not collide in a unique index.
        let once = Index::create()
            .name("mail_outbox_topic_person")
            .table("mail_outbox")
            .col("topic")
            .col("person")
            .unique()
            .to_owned();
        manager.create_index(once).await
    }
}
