//! Renditions, the progress and failure of processing, and captions.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer_null, integer_null, string, string_null, text, uuid_null};

/// Adds the columns to `content`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261120_04_renditions"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let columns = [
            uuid_null("rendition"),
            string("rendition_has").default("").take(),
            uuid_null("processing_run"),
            big_integer_null("heartbeat_at"),
            integer_null("progress"),
            big_integer_null("seconds_left"),
            string_null("failure"),
            text("captions").default("[]").take(),
        ];
        // SQLite adds only one column per statement.
        for column in columns {
            manager.alter_table(Table::alter().table("content").add_column(column).to_owned()).await?;
        }
        let by_heartbeat = Index::create()
            .name("content_heartbeat")
            .table("content")
            .col("processing")
            .col("heartbeat_at")
            .to_owned();
        manager.create_index(by_heartbeat).await
    }
}
