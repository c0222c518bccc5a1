//! Whether app users may download the file of an item.

use sea_orm_migration::prelude::*;

/// Adds `content.downloadable`. NULL, as for items that were created before, leaves it to the kind of file.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261125_04_downloadable"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("downloadable").boolean().null().to_owned();
        manager.alter_table(Table::alter().table("content").add_column(column).to_owned()).await
    }
}
