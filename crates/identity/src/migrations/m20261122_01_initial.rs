//! People, how they sign in, their sessions and the token key.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, binary, binary_null, boolean, integer, json_null, string, string_null,
    text, uuid,
};

/// Creates `person`, `password`, `provider_identity`, `provider_sign_in`, `mailed_code`, `session` and
/// `token_key`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "identity_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            person(),
            password(),
            provider_identity(),
            provider_sign_in(),
            mailed_code(),
            session(),
            token_key(),
        ] {
            manager.create_table(table).await?;
        }
        for index in [
            db::index("provider_identity_person", "provider_identity", &["person"]),
            db::index("provider_sign_in_expires_at", "provider_sign_in", &["expires_at"]),
            db::index("mailed_code_email", "mailed_code", &["email", "kind"]),
            db::index("mailed_code_mailbox", "mailed_code", &["mailbox", "kind"]),
            db::index("mailed_code_expires_at", "mailed_code", &["expires_at"]),
            db::index("session_person", "session", &["person"]),
            db::index("session_ended_at", "session", &["ended_at"]),
            db::index("session_expires_at", "session", &["expires_at"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn person() -> TableCreateStatement {
    Table::create()
        .table("person")
        .col(uuid("uid").primary_key())
        .col(string("email").unique_key())
        .col(boolean("email_verified"))
        .col(text("display_name"))
        .col(text("display_name_folded").default(""))
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
        .col(text("search_folded").default(""))
        .col(big_integer_null("terms_accepted_at"))
        .col(big_integer("created_at"))
        .to_owned()
}

fn password() -> TableCreateStatement {
    Table::create()
        .table("password")
        .col(uuid("person").primary_key())
        .col(text("hash"))
        .col(big_integer("created_at"))
        .foreign_key(ForeignKey::create().from("password", "person").to("person", "uid"))
        .to_owned()
}

fn provider_identity() -> TableCreateStatement {
    Table::create()
        .table("provider_identity")
        .col(string("issuer"))
        .col(string("subject"))
        .col(string("provider"))
        .col(uuid("person"))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("issuer").col("subject"))
        .foreign_key(ForeignKey::create().from("provider_identity", "person").to("person", "uid"))
        .to_owned()
}

fn provider_sign_in() -> TableCreateStatement {
    Table::create()
        .table("provider_sign_in")
        .col(uuid("uid").primary_key())
        .col(string("provider"))
        .col(binary("state_hash").unique_key())
        .col(string("challenge"))
        .col(string("nonce"))
        .col(string("verifier"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("answered_at"))
        .col(binary_null("code_hash").unique_key())
        .col(json_null("claims"))
        .col(big_integer_null("used_at"))
        .to_owned()
}

fn mailed_code() -> TableCreateStatement {
    Table::create()
        .table("mailed_code")
        .col(uuid("uid").primary_key())
        .col(string("kind"))
        .col(string("email"))
        .col(string("mailbox"))
        .col(binary("code_hash").unique_key())
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("used_at"))
        .to_owned()
}

fn session() -> TableCreateStatement {
    Table::create()
        .table("session")
        .col(uuid("uid").primary_key())
        .col(uuid("person"))
        .col(integer("generation"))
        .col(json_null("spent"))
        .col(string("app").default("portal"))
        .col(text("device"))
        .col(text("client_address").default(""))
        .col(big_integer("created_at"))
        .col(big_integer("last_seen_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("ended_at"))
        .foreign_key(ForeignKey::create().from("session", "person").to("person", "uid"))
        .to_owned()
}

fn token_key() -> TableCreateStatement {
    Table::create()
        .table("token_key")
        .col(uuid("uid").primary_key())
        .col(binary("sealed"))
        .col(big_integer("created_at"))
        .to_owned()
}
