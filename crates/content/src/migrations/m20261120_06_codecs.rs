//! Names of the codecs in a file.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::text_null;

/// Adds the column to `content`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261120_06_codecs"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::alter().table("content").add_column(text_null("codecs")).to_owned();
        manager.alter_table(table).await
    }
}
