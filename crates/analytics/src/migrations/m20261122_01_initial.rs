//! Requests as received, the state required by the rules, and the aggregates that all reads use.
//!
//! There are no foreign keys: these tables are written many thousand times a second, with ids checked in the
//! same transaction. Tables read by key are stored in key order (on SQLite with WITHOUT ROWID), so each write
//! touches only one B-tree.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, boolean, double, string, text, text_null, uuid, uuid_null,
};

use super::create_by_key;

/// Creates the analytics tables.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(event_batch()).await?;
        for table in [
            viewing(),
            coverage(),
            visitor(),
            interaction(),
            activity(),
            watch_org(),
            watch_content(),
            watch_playlist(),
            watch_person(),
        ] {
            create_by_key(manager, &table).await?;
        }
        Ok(())
    }
}

/// Requests as received: append-only, no index except the row number.
fn event_batch() -> TableCreateStatement {
    Table::create()
        .table("event_batch")
        .col(ColumnDef::new("number").big_integer().not_null().auto_increment().primary_key())
        .col(uuid("org"))
        .col(uuid("viewer"))
        .col(big_integer("received_at"))
        .col(text("events"))
        .col(text_null("rejected"))
        .to_owned()
}

fn viewing() -> TableCreateStatement {
    Table::create()
        .table("viewing")
        .col(uuid("org"))
        .col(uuid("uid"))
        .col(uuid("viewer"))
        .col(uuid("content"))
        .col(uuid_null("playlist"))
        .col(big_integer("began_at"))
        .col(text("seqs"))
        .col(text("watch_budget"))
        .col(big_integer("credit_ms"))
        .col(text("sections"))
        .col(boolean("idle"))
        .col(string("verdict"))
        .primary_key(Index::create().col("org").col("uid"))
        .to_owned()
}

fn coverage() -> TableCreateStatement {
    Table::create()
        .table("coverage")
        .col(uuid("org"))
        .col(uuid("viewer"))
        .col(uuid("content"))
        .col(big_integer_null("counted_at"))
        .col(text("sections"))
        .col(double("covered"))
        .col(big_integer("watched_day"))
        .col(big_integer("since"))
        .primary_key(Index::create().col("org").col("viewer").col("content"))
        .to_owned()
}

fn visitor() -> TableCreateStatement {
    Table::create()
        .table("visitor")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(big_integer("began_at"))
        .col(big_integer("last_at"))
        .col(big_integer("active_day"))
        .col(big_integer("since"))
        .primary_key(Index::create().col("org").col("person"))
        .to_owned()
}

fn interaction() -> TableCreateStatement {
    Table::create()
        .table("interaction")
        .col(uuid("org"))
        .col(uuid("uid"))
        .primary_key(Index::create().col("org").col("uid"))
        .to_owned()
}

fn activity() -> TableCreateStatement {
    Table::create()
        .table("activity")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(big_integer("at"))
        .col(uuid("uid"))
        .col(string("kind"))
        .col(uuid_null("content"))
        .col(uuid_null("playlist"))
        .col(uuid_null("view"))
        .primary_key(Index::create().col("org").col("person").col("at").col("uid"))
        .to_owned()
}

fn watch_org() -> TableCreateStatement {
    Table::create()
        .table("watch_org")
        .col(uuid("org"))
        .col(big_integer("hour"))
        .col(big_integer("watch_ms"))
        .col(big_integer("views"))
        .primary_key(Index::create().col("org").col("hour"))
        .to_owned()
}

fn watch_content() -> TableCreateStatement {
    Table::create()
        .table("watch_content")
        .col(uuid("org"))
        .col(big_integer("day"))
        .col(uuid("content"))
        .col(big_integer("watch_ms"))
        .col(big_integer("views"))
        .primary_key(Index::create().col("org").col("day").col("content"))
        .to_owned()
}

fn watch_playlist() -> TableCreateStatement {
    Table::create()
        .table("watch_playlist")
        .col(uuid("org"))
        .col(uuid("playlist"))
        .col(big_integer("watch_ms"))
        .col(big_integer("views"))
        .primary_key(Index::create().col("org").col("playlist"))
        .to_owned()
}

fn watch_person() -> TableCreateStatement {
    Table::create()
        .table("watch_person")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(big_integer("hour"))
        .col(uuid("content"))
        .col(uuid("playlist"))
        .col(big_integer("watch_ms"))
        .col(big_integer("views"))
        .col(big_integer("visits"))
        .primary_key(Index::create().col("org").col("person").col("hour").col("content").col("playlist"))
        .to_owned()
}
