//! The ends of the last months are found without reading the whole journal.

use sea_orm_migration::prelude::*;

/// Adds the index `provision_change_at`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261125_01_changes_by_time"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_index(db::index("provision_change_at", "provision_change", &["to_state", "at"])).await
    }
}
