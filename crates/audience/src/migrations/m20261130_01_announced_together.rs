//! Announcements that share an email, and since when their subjects are visible.

use sea_orm_migration::prelude::*;

/// Adds `announcement.visible_since` and `announcement.listed_in`. Announcements from before have emails of their own.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "audience_20261130_01_announced_together"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [
            ColumnDef::new("visible_since").big_integer().null().to_owned(),
            ColumnDef::new("listed_in").uuid().null().to_owned(),
        ] {
            manager.alter_table(Table::alter().table("announcement").add_column(column).to_owned()).await?;
        }
        // Each email looks up what it lists right before it is sent.
        manager.create_index(db::index("announcement_listed_in", "announcement", &["listed_in"])).await
    }
}
