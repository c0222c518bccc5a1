//! Playlists and the index of their items.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, json, string, text, uuid};

/// Creates `playlist` and `playlist_item`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "playlists_20261120_01_playlists"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let playlist = Table::create()
            .table("playlist")
            .col(uuid("uid").primary_key())
            .col(uuid("org"))
            .col(text("title"))
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
            .to_owned();
        manager.create_table(playlist).await?;
        let by_org =
            Index::create().name("playlist_org_uid").table("playlist").col("org").col("uid").to_owned();
        manager.create_index(by_org).await?;
        let item = Table::create()
            .table("playlist_item")
            .col(uuid("content"))
            .col(uuid("playlist"))
            .col(uuid("org"))
            .primary_key(Index::create().col("content").col("playlist"))
            .foreign_key(ForeignKey::create().from("playlist_item", "content").to("content", "uid"))
            .foreign_key(ForeignKey::create().from("playlist_item", "playlist").to("playlist", "uid"))
            .to_owned();
        manager.create_table(item).await?;
        let by_playlist =
            Index::create().name("playlist_item_playlist").table("playlist_item").col("playlist").to_owned();
        manager.create_index(by_playlist).await
    }
}
