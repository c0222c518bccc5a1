//! How far people are in items, and when they last visited an organisation.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, uuid};

/// Creates `item_progress` and `last_visit`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "audience_20261125_01_progress"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [item_progress(), last_visit()] {
            manager.create_table(table).await?;
        }
        for index in [
            db::index("item_progress_person", "item_progress", &["person"]),
            db::index("last_visit_person", "last_visit", &["person"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn item_progress() -> TableCreateStatement {
    Table::create()
        .table("item_progress")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(uuid("content"))
        .col(uuid("playlist"))
        .col(big_integer("position"))
        .col(big_integer_null("length"))
        .col(big_integer_null("seen_at"))
        .col(big_integer("taken_at"))
        .primary_key(Index::create().col("org").col("person").col("content"))
        .foreign_key(ForeignKey::create().from("item_progress", "org").to("organisation", "uid"))
        .foreign_key(ForeignKey::create().from("item_progress", "person").to("person", "uid"))
        .to_owned()
}

fn last_visit() -> TableCreateStatement {
    Table::create()
        .table("last_visit")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(big_integer("active_at"))
        .col(big_integer_null("previous_at"))
        .primary_key(Index::create().col("org").col("person"))
        .foreign_key(ForeignKey::create().from("last_visit", "org").to("organisation", "uid"))
        .foreign_key(ForeignKey::create().from("last_visit", "person").to("person", "uid"))
        .to_owned()
}
