//! Invitations to the staff.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, binary, string, uuid};

/// Creates `invite`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261123_01_invites"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(invite()).await?;
        for index in [
            db::index("invite_org_email", "invite", &["org", "email"]),
            // For the invitations of the last hour, which are limited.
            db::index("invite_org_sent", "invite", &["org", "sent_at"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn invite() -> TableCreateStatement {
    Table::create()
        .table("invite")
        .col(uuid("uid").primary_key())
        .col(uuid("org"))
        .col(string("email"))
        .col(string("role"))
        .col(uuid("inviter"))
        .col(binary("code_hash").unique_key())
        .col(big_integer("sent_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("accepted_at"))
        .col(big_integer_null("revoked_at"))
        .foreign_key(ForeignKey::create().from("invite", "org").to("organisation", "uid"))
        .foreign_key(ForeignKey::create().from("invite", "inviter").to("person", "uid"))
        .to_owned()
}
