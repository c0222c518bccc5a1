//! Organisations and memberships.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, json, string, string_null, text, uuid, uuid_null,
};

/// Creates `organisation` and `membership`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [organisation(), membership()] {
            manager.create_table(table).await?;
        }
        for index in [
            db::index("membership_person_org", "membership", &["person", "org"]).unique().to_owned(),
            db::index("membership_org_role", "membership", &["org", "role"]),
            // For the list of members ordered by person, which is merged with their consents.
            db::index("membership_org_person", "membership", &["org", "person"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn organisation() -> TableCreateStatement {
    Table::create()
        .table("organisation")
        .col(uuid("uid").primary_key())
        .col(text("name"))
        .col(text("description"))
        .col(text("logo"))
        .col(text("website"))
        .col(string("privacy"))
        .col(string_null("join_code").unique_key())
        .col(uuid_null("default_playlist"))
        .col(json("pinned_playlists"))
        .col(text("theme_background"))
        .col(string("theme_primary"))
        .col(string("theme_secondary"))
        .col(string("theme_text"))
        .col(text("contact_email"))
        .col(text("contact_phone"))
        .col(string("standing"))
        .col(big_integer("created_at"))
        .col(big_integer("modified_at"))
        .col(big_integer_null("deleted_at"))
        .to_owned()
}

fn membership() -> TableCreateStatement {
    Table::create()
        .table("membership")
        .col(uuid("uid").primary_key())
        .col(uuid("org"))
        .col(uuid("person"))
        .col(string("role"))
        .col(big_integer("created_at"))
        .foreign_key(ForeignKey::create().from("membership", "org").to("organisation", "uid"))
        .foreign_key(ForeignKey::create().from("membership", "person").to("person", "uid"))
        .to_owned()
}
