//! The segments of the archive of events in the storage.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, string, uuid};

/// Creates the table.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261126_01_archive"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(event_segment()).await?;
        for (name, columns) in [
            ("event_segment_day", &["day"][..]),
            ("event_segment_state", &["state"]),
            ("event_segment_org", &["org", "day"]),
        ] {
            manager.create_index(db::index(name, "event_segment", columns)).await?;
        }
        Ok(())
    }
}

/// One row a segment. Its number is part of the segment's key in the storage, and never used again.
fn event_segment() -> TableCreateStatement {
    Table::create()
        .table("event_segment")
        .col(ColumnDef::new("number").big_integer().not_null().auto_increment().primary_key())
        .col(uuid("org"))
        .col(big_integer("day"))
        .col(string("state"))
        .col(big_integer("first_event"))
        .col(big_integer("last_event"))
        .col(big_integer("requests"))
        .col(big_integer("lines"))
        .col(big_integer("bytes"))
        .col(string("sha256"))
        .col(big_integer_null("stored_at"))
        .to_owned()
}
