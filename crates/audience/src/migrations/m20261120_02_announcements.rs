//! Announcements to app users, and who has unsubscribed from them.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string, uuid, uuid_null};

/// Creates `announcement` and `unsubscribe`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "audience_20261120_02_announcements"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let announcements = Table::create()
            .table("announcement")
            .col(uuid("subject").primary_key())
            .col(uuid("org"))
            .col(string("kind"))
            .col(string("state"))
            .col(big_integer("until"))
            .col(uuid_null("last_recipient"))
            .col(big_integer("processed_at"))
            .col(big_integer("created_at"))
            .foreign_key(ForeignKey::create().from("announcement", "org").to("organisation", "uid"))
            .to_owned();
        manager.create_table(announcements).await?;
        let by_state = Index::create()
            .name("announcement_state_org")
            .table("announcement")
            .col("state")
            .col("org")
            .to_owned();
        manager.create_index(by_state).await?;
        let unsubscribe = Table::create()
            .table("unsubscribe")
            .col(uuid("org"))
            .col(uuid("person"))
            .col(big_integer("created_at"))
            .primary_key(Index::create().col("org").col("person"))
            .foreign_key(ForeignKey::create().from("unsubscribe", "org").to("organisation", "uid"))
            .foreign_key(ForeignKey::create().from("unsubscribe", "person").to("person", "uid"))
            .to_owned();
        manager.create_table(unsubscribe).await
    }
}
