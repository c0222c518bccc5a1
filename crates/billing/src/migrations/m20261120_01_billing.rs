//! Accounts, their managers, purchases and webhooks.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, json_null, string, string_null, text, text_null, uuid, uuid_null,
};

/// Creates the four tables.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261120_01_billing"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(account()).await?;
        manager.create_table(manager_of_account()).await?;
        manager.create_table(provision()).await?;
        let event = Table::create()
            .table("webhook_event")
            .col(string("id").primary_key())
            .col(string("name"))
            .col(big_integer("received_at"))
            .to_owned();
        manager.create_table(event).await?;
        let once = Index::create()
            .name("billing_account_request")
            .table("billing_account")
            .col("created_by")
            .col("request_key")
            .unique()
            .to_owned();
        manager.create_index(once).await?;
        for (name, table, columns) in [
            ("account_manager_person", "account_manager", ["person", "account"]),
            ("provision_account", "provision", ["account", "uid"]),
            ("provision_org", "provision", ["org", "state"]),
            ("provision_subscription", "provision", ["subscription", "uid"]),
            ("provision_session", "provision", ["session", "uid"]),
            ("provision_next_sync_at", "provision", ["next_sync_at", "uid"]),
        ] {
            let mut index = Index::create();
            index.name(name).table(table);
            for column in columns {
                index.col(column);
            }
            manager.create_index(index.clone()).await?;
        }
        Ok(())
    }
}

fn account() -> TableCreateStatement {
    Table::create()
        .table("billing_account")
        .col(uuid("uid").primary_key())
        .col(string("kind"))
        .col(text("friendly_name"))
        .col(text("billing_name"))
        .col(text("billing_email"))
        .col(text("billing_phone"))
        .col(json_null("billing_address"))
        .col(string_null("customer"))
        .col(uuid("created_by"))
        .col(string_null("request_key"))
        .col(big_integer("created_at"))
        .foreign_key(ForeignKey::create().from("billing_account", "created_by").to("person", "uid"))
        .to_owned()
}

fn manager_of_account() -> TableCreateStatement {
    Table::create()
        .table("account_manager")
        .col(uuid("account"))
        .col(uuid("person"))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("account").col("person"))
        .foreign_key(ForeignKey::create().from("account_manager", "account").to("billing_account", "uid"))
        .foreign_key(ForeignKey::create().from("account_manager", "person").to("person", "uid"))
        .to_owned()
}

fn provision() -> TableCreateStatement {
    Table::create()
        .table("provision")
        .col(uuid("uid").primary_key())
        .col(uuid("account"))
        .col(uuid("buyer"))
        .col(uuid_null("org"))
        .col(string_null("plan"))
        .col(string("state"))
        .col(big_integer("state_since"))
        .col(string_null("session"))
        .col(text_null("session_url"))
        .col(big_integer("session_expires"))
        .col(string_null("subscription"))
        .col(big_integer("synced_at"))
        .col(big_integer_null("next_sync_at"))
        .col(big_integer_null("refunded_at"))
        .col(big_integer("created_at"))
        .foreign_key(ForeignKey::create().from("provision", "account").to("billing_account", "uid"))
        .foreign_key(ForeignKey::create().from("provision", "buyer").to("person", "uid"))
        .foreign_key(ForeignKey::create().from("provision", "org").to("organisation", "uid"))
        .to_owned()
}
