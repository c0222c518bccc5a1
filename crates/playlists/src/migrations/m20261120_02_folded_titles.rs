//! Case-folded titles for search and sorting.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::text;

/// Adds `playlist.title_folded`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "playlists_20261120_02_folded_titles"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = Table::alter().table("playlist").add_column(text("title_folded").default("")).to_owned();
        manager.alter_table(column).await?;
        db::search::fill(manager.get_connection(), "playlist").await
    }
}
