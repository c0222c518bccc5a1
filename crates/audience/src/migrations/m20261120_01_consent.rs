//! Answers to the consent notice.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, binary, boolean, string, uuid};

/// Creates `consent` and `consent_standing`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "audience_20261120_01_consent"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let consent = Table::create()
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
            .to_owned();
        manager.create_table(consent).await?;
        let by_person =
            Index::create().name("consent_org_person").table("consent").col("org").col("person").to_owned();
        manager.create_index(by_person).await?;
        let standing = Table::create()
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
            .to_owned();
        manager.create_table(standing).await?;
        let by_record = Index::create()
            .name("consent_standing_org_record")
            .table("consent_standing")
            .col("org")
            .col("record")
            .to_owned();
        manager.create_index(by_record).await
    }
}
