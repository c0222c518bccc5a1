//! Playlists and the index of their items.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, json, string, text, uuid};

/// Creates `playlist` and `playlist_item`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "playlists_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [playlist(), playlist_item()] {
            manager.create_table(table).await?;
        }
        for index in [
            db::index("playlist_org_uid", "playlist", &["org", "uid"]),
            db::index("playlist_item_playlist", "playlist_item", &["playlist"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn playlist() -> TableCreateStatement {
    Table::create()
        .table("playlist")
        .col(uuid("uid").primary_key())
        .col(uuid("org"))
        .col(text("title"))
        .col(text("title_folded").default(""))
        .col(text("description"))
        .col(text("preview"))
        .col(string("privacy"))
        .col(text("contact_email"))
        .col(text("contact_phone"))
        .col(json("items"))
        .col(big_integer("watch_ms"))
        .col(big_integer("created_at"))
        .col(big_integer("modified_at"))
        .col(big_integer_null("deleted_at"))
        .foreign_key(ForeignKey::create().from("playlist", "org").to("organisation", "uid"))
        .to_owned()
}

fn playlist_item() -> TableCreateStatement {
    Table::create()
        .table("playlist_item")
        .col(uuid("content"))
        .col(uuid("playlist"))
        .col(uuid("org"))
        .primary_key(Index::create().col("content").col("playlist"))
        .foreign_key(ForeignKey::create().from("playlist_item", "content").to("content", "uid"))
        .foreign_key(ForeignKey::create().from("playlist_item", "playlist").to("playlist", "uid"))
        .to_owned()
}
