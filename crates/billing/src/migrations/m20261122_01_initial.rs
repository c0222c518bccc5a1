//! Accounts, their managers, purchases and webhooks.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, json_null, string, string_null, text, text_null, uuid, uuid_null,
};

/// Creates `billing_account`, `account_manager`, `provision` and `webhook_event`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [billing_account(), account_manager(), provision(), webhook_event()] {
            manager.create_table(table).await?;
        }
        for index in [
            db::index("billing_account_request", "billing_account", &["created_by", "request_key"])
                .unique()
                .to_owned(),
            db::index("account_manager_person", "account_manager", &["person", "account"]),
            db::index("provision_account", "provision", &["account", "uid"]),
            db::index("provision_org", "provision", &["org", "state"]),
            db::index("provision_subscription", "provision", &["subscription", "uid"]),
            db::index("provision_session", "provision", &["session", "uid"]),
            db::index("provision_next_sync_at", "provision", &["next_sync_at", "uid"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn billing_account() -> TableCreateStatement {
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

fn account_manager() -> TableCreateStatement {
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

fn webhook_event() -> TableCreateStatement {
    Table::create()
        .table("webhook_event")
        .col(string("id").primary_key())
        .col(string("name"))
        .col(string("outcome").default("applied"))
        .col(text_null("checkout"))
        .col(text_null("subscription"))
        .col(uuid_null("provision"))
        .col(big_integer("received_at"))
        .to_owned()
}
