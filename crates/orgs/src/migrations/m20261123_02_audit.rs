//! The audit log.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, json_null, string, text_null, uuid, uuid_null};

/// Creates `audit_entry`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261123_02_audit"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(audit_entry()).await?;
        for index in [
            db::index("audit_entry_org", "audit_entry", &["org", "uid"]),
            db::index("audit_entry_org_actor", "audit_entry", &["org", "actor", "uid"]),
            db::index("audit_entry_org_action", "audit_entry", &["org", "action", "uid"]),
            db::index("audit_entry_account", "audit_entry", &["account", "uid"]),
            // For the removal of old entries.
            db::index("audit_entry_created", "audit_entry", &["created_at"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn audit_entry() -> TableCreateStatement {
    Table::create()
        .table("audit_entry")
        .col(uuid("uid").primary_key())
        .col(uuid_null("org"))
        .col(uuid_null("account"))
        .col(uuid_null("actor"))
        .col(string("action"))
        .col(uuid("target"))
        .col(text_null("target_name"))
        .col(json_null("before"))
        .col(json_null("after"))
        .col(big_integer("created_at"))
        .to_owned()
}
