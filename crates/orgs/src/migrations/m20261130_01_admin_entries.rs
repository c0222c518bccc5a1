//! What the operator changed from the command line.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string, uuid, uuid_null};

/// Creates `admin_entry`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261130_01_admin_entries"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("admin_entry")
            .col(uuid("uid").primary_key())
            .col(string("operator"))
            .col(string("command"))
            .col(uuid_null("target"))
            .col(big_integer("changes"))
            .col(big_integer("created_at"))
            .to_owned();
        manager.create_table(table).await?;
        // For the removal of old entries.
        manager.create_index(db::index("admin_entry_created", "admin_entry", &["created_at"])).await
    }
}
