//! An index for the search of images that are in use.

use sea_orm_migration::prelude::*;

/// Creates the index, without the rows that have no image.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261124_01_preview"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let index = db::index("content_preview", "content", &["preview"])
            .and_where(Expr::cust("preview <> ''"))
            .to_owned();
        manager.create_index(index).await
    }
}
