//! The dates between which app users may see an item.

use sea_orm_migration::prelude::*;

/// Adds `content.publish_at` and `content.expire_at`. Items that were created before have no dates.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261125_03_schedule"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for name in ["publish_at", "expire_at"] {
            let column = ColumnDef::new(name).big_integer().null().to_owned();
            manager.alter_table(Table::alter().table("content").add_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
