//! Finds the views and requests of a viewer, to cut a person from them.

use sea_orm_migration::prelude::*;

/// Creates the indexes.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261124_01_viewer_index"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_index(db::index("event_batch_viewer", "event_batch", &["org", "viewer"])).await?;
        manager.create_index(db::index("viewing_viewer", "viewing", &["org", "viewer"])).await
    }
}
