//! People, sessions, magic links and the token key.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, binary, boolean, integer, json_null, string, string_null, text, uuid,
};

/// Creates `person`, `session`, `magic_link` and `token_key`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "identity_20261120_01_people"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(person()).await?;
        manager.create_table(session()).await?;
        manager
            .create_index(Index::create().name("session_person").table("session").col("person").to_owned())
            .await?;
        manager.create_table(magic_link()).await?;
        manager
            .create_index(
                Index::create().name("magic_link_email").table("magic_link").col("email").to_owned(),
            )
            .await?;
        let key = Table::create()
            .table("token_key")
            .col(uuid("uid").primary_key())
            .col(binary("sealed"))
            .col(big_integer("created_at"))
            .to_owned();
        manager.create_table(key).await
    }
}

fn person() -> TableCreateStatement {
    Table::create()
        .table("person")
        .col(uuid("uid").primary_key())
        .col(string("email").unique_key())
        .col(boolean("email_verified"))
        .col(text("display_name"))
        .col(text("first_name"))
        .col(text("last_name"))
        .col(text("phone_number"))
        .col(string_null("phone_e164"))
        .col(text("photo"))
        .col(text("company"))
        .col(text("linked_in"))
        .col(json_null("address"))
        .col(text("job_title"))
        .col(text("business_area"))
        .col(big_integer_null("terms_accepted_at"))
        .col(big_integer("created_at"))
        .to_owned()
}

fn session() -> TableCreateStatement {
    Table::create()
        .table("session")
        .col(uuid("uid").primary_key())
        .col(uuid("person"))
        .col(integer("generation"))
        .col(big_integer("rotated_at"))
        .col(text("device"))
        .col(big_integer("created_at"))
        .col(big_integer("last_seen_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("ended_at"))
        .foreign_key(ForeignKey::create().from("session", "person").to("person", "uid"))
        .to_owned()
}

fn magic_link() -> TableCreateStatement {
    Table::create()
        .table("magic_link")
        .col(uuid("uid").primary_key())
        .col(string("email"))
        .col(binary("code_hash").unique_key())
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("used_at"))
        .to_owned()
}
