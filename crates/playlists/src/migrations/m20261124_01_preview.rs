//! Indexes for the search of images that are in use, and for deleted playlists.

use sea_orm_migration::prelude::*;

/// Creates the indexes; the first without the rows that have no image.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "playlists_20261124_01_preview"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for index in [
            db::index("playlist_org_deleted", "playlist", &["org", "deleted_at"]),
            db::index("playlist_preview", "playlist", &["preview"])
                .and_where(Expr::cust("preview <> ''"))
                .to_owned(),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}
