//! Passwords, people's identities at providers, codes sent by email, and provider sign-ins in progress.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, binary, binary_null, json_null, string, text, uuid,
};

/// Creates `password`, `provider_identity`, `mailed_code` (replacing `magic_link`) and `provider_sign_in`;
/// adds `session.app` and `session.client_address`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "identity_20261120_03_sign_in_methods"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(password()).await?;
        manager.create_table(provider_identity()).await?;
        manager
            .create_index(
                Index::create()
                    .name("provider_identity_person")
                    .table("provider_identity")
                    .col("person")
                    .to_owned(),
            )
            .await?;
        // A link is valid for ten minutes, so none is worth migrating.
        manager.drop_table(Table::drop().table("magic_link").to_owned()).await?;
        manager.create_table(mailed_code()).await?;
        manager.create_table(provider_sign_in()).await?;
        for (table, columns) in [
            ("mailed_code", &["email", "kind"][..]),
            ("mailed_code", &["mailbox", "kind"][..]),
            ("mailed_code", &["expires_at"][..]),
            ("provider_sign_in", &["expires_at"][..]),
            ("session", &["ended_at"][..]),
            ("session", &["expires_at"][..]),
        ] {
            manager.create_index(index(table, columns)).await?;
        }
        for column in [string("app").default("portal").take(), text("client_address").default("").take()] {
            let add = Table::alter().table("session").add_column(column).to_owned();
            manager.alter_table(add).await?;
        }
        Ok(())
    }
}

fn index(table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(format!("{table}_{}", columns[0])).table(table);
    for column in columns {
        index.col(*column);
    }
    index
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
