//! Letters of which many go out about the same thing: what about, to whom, and how that person stops them.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{text, uuid_null};

pub(crate) struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "mail_20261120_03_rounds"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // One column a statement: SQLite takes no more.
        let columns = [uuid_null("about"), uuid_null("person"), text("stop").default("").take()];
        for column in columns {
            let mut table = Table::alter();
            manager.alter_table(table.table("mail_outbox").add_column(column).to_owned()).await?;
        }
        // Letters about nothing in particular have no value here, and none is equal to another.
        let once = Index::create()
            .name("mail_outbox_about_person")
            .table("mail_outbox")
            .col("about")
            .col("person")
            .unique()
            .to_owned();
        manager.create_index(once).await
    }
}
