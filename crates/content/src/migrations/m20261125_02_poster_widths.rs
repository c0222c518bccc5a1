//! The widths in which posters are stored besides their own.

use sea_orm_migration::prelude::*;

/// Adds `content.poster_widths`. Posters that were made before have one size.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261125_02_poster_widths"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("poster_widths").text().not_null().default("").to_owned();
        manager.alter_table(Table::alter().table("content").add_column(column).to_owned()).await
    }
}
