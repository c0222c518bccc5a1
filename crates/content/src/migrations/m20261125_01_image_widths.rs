//! The widths in which images are stored besides their own.

use sea_orm_migration::prelude::*;

/// Adds `image.widths`. Images that were stored before have one size.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261125_01_image_widths"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("widths").text().not_null().default("").to_owned();
        manager.alter_table(Table::alter().table("image").add_column(column).to_owned()).await
    }
}
