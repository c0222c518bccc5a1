//! The number of pages of a document.

use sea_orm_migration::prelude::*;

/// Adds `content.pages`. NULL, as for documents that were processed before, leaves it to what readers report.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261201_01_pages"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("pages").big_integer().null().to_owned();
        manager.alter_table(Table::alter().table("content").add_column(column).to_owned()).await
    }
}
