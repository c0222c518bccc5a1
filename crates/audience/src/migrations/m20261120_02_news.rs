//! Announcements to app users, and who has unsubscribed from them.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string, uuid, uuid_null};

/// Creates `news` and `letter_stop`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "audience_20261120_02_news"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let news = Table::create()
            .table("news")
            .col(uuid("subject").primary_key())
            .col(uuid("org"))
            .col(string("kind"))
            .col(string("state"))
            .col(big_integer("until"))
            .col(uuid_null("told_to"))
            .col(big_integer("looked_at"))
            .col(big_integer("created_at"))
            .foreign_key(ForeignKey::create().from("news", "org").to("organisation", "uid"))
            .to_owned();
        manager.create_table(news).await?;
        let by_state =
            Index::create().name("news_state_org").table("news").col("state").col("org").to_owned();
        manager.create_index(by_state).await?;
        let stop = Table::create()
            .table("letter_stop")
            .col(uuid("org"))
            .col(uuid("person"))
            .col(big_integer("created_at"))
            .primary_key(Index::create().col("org").col("person"))
            .foreign_key(ForeignKey::create().from("letter_stop", "org").to("organisation", "uid"))
            .foreign_key(ForeignKey::create().from("letter_stop", "person").to("person", "uid"))
            .to_owned();
        manager.create_table(stop).await
    }
}
