//! Indexes for the numbers of an item or playlist in a range, for cutting a person from views and events, and for a
//! recount.
//!
//! SQLite expects few rows of an organisation, whatever the size of a table, so it uses a longer index only if that has
//! all columns of the condition.

use sea_orm_migration::prelude::*;

/// Creates the indexes.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261125_02_scale"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, table) in [
            ("viewing_viewer", "viewing"),
            ("event_batch_viewer", "event_batch"),
            ("event_batch_day", "event_batch"),
        ] {
            manager.drop_index(Index::drop().name(name).table(table).to_owned()).await?;
        }
        for (name, table, columns) in [
            ("watch_day_item", "watch_day", &["org", "item", "day"]),
            ("viewing_viewer", "viewing", &["org", "viewer", "began_at"]),
            ("event_batch_viewer", "event_batch", &["org", "viewer", "day"]),
        ] {
            manager.create_index(db::index(name, table, columns)).await?;
        }
        manager.create_index(db::index("event_batch_number", "event_batch", &["org", "number"])).await
    }
}
