//! Events that wait for their job are found by what they name.

use sea_orm_migration::prelude::*;

/// Adds the index `webhook_event_outcome`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261127_01_waiting_events"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_index(db::index("webhook_event_outcome", "webhook_event", &["outcome", "id"])).await
    }
}
