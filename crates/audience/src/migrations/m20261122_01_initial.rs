//! Answers to the consent notice, announcements to app users, and who has unsubscribed from them.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, binary, boolean, string, uuid, uuid_null};

/// Creates `consent`, `consent_standing`, `announcement` and `unsubscribe`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "audience_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [consent(), consent_standing(), announcement(), unsubscribe()] {
            manager.create_table(table).await?;
        }
        for index in [
            db::index("consent_org_person", "consent", &["org", "person"]),
            db::index("consent_standing_org_record", "consent_standing", &["org", "record"]),
            db::index("announcement_state_org", "announcement", &["state", "org"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn consent() -> TableCreateStatement {
    Table::create()
        .table("consent")
        .col(uuid("uid").primary_key())
        .col(uuid("org"))
        .col(uuid("person"))
        .col(boolean("consent"))
        .col(string("notice_version"))
        .col(binary("notice_digest"))
        .col(string("method"))
        .col(big_integer("created_at"))
        .foreign_key(ForeignKey::create().from("consent", "org").to("organisation", "uid"))
        .foreign_key(ForeignKey::create().from("consent", "person").to("person", "uid"))
        .to_owned()
}

fn consent_standing() -> TableCreateStatement {
    Table::create()
        .table("consent_standing")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(uuid("record"))
        .col(boolean("consent"))
        .col(big_integer("since"))
        .col(string("notice_version"))
        .col(string("method"))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("org").col("person"))
        .foreign_key(ForeignKey::create().from("consent_standing", "record").to("consent", "uid"))
        .to_owned()
}

fn announcement() -> TableCreateStatement {
    Table::create()
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
        .to_owned()
}

fn unsubscribe() -> TableCreateStatement {
    Table::create()
        .table("unsubscribe")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("org").col("person"))
        .foreign_key(ForeignKey::create().from("unsubscribe", "org").to("organisation", "uid"))
        .foreign_key(ForeignKey::create().from("unsubscribe", "person").to("person", "uid"))
        .to_owned()
}
