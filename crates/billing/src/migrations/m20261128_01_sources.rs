//! Where a purchase was made, what the buyer chose, the order of answers, planned changes, notices, and the last
//! comparison with the provider.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, integer, json, string, uuid};

/// Adds the columns, `billing_notice` and `billing_comparison`; a session, subscription and customer of the provider
/// belong to one row each.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261128_01_sources"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in provision_columns() {
            manager.alter_table(Table::alter().table("provision").add_column(column).to_owned()).await?;
        }
        let source = ColumnDef::new("customer_source").text().null().to_owned();
        for change in [
            Table::alter().table("provision").drop_column("quantity").to_owned(),
            Table::alter().table("billing_account").add_column(source).to_owned(),
        ] {
            manager.alter_table(change).await?;
        }
        for table in [billing_notice(), billing_comparison()] {
            manager.create_table(table).await?;
        }
        for old in ["provision_subscription", "provision_session"] {
            manager.drop_index(Index::drop().name(old).table("provision").to_owned()).await?;
        }
        for index in [
            db::index("provision_one_subscription", "provision", &["subscription"]),
            db::index("provision_one_session", "provision", &["session"]),
            db::index("billing_account_one_customer", "billing_account", &["customer"]),
        ] {
            manager.create_index(index.clone().unique().to_owned()).await?;
        }
        Ok(())
    }
}

fn provision_columns() -> Vec<ColumnDef> {
    let text = |name: &'static str| ColumnDef::new(name).text().null().to_owned();
    let optional = |name: &'static str| ColumnDef::new(name).big_integer().null().to_owned();
    let counter = |name: &'static str| ColumnDef::new(name).big_integer().not_null().default(0).to_owned();
    vec![
        text("source"),
        text("pending_plan"),
        optional("pending_at"),
        ColumnDef::new("chosen_org").uuid().null().to_owned(),
        ColumnDef::new("wants_new_org").boolean().not_null().default(false).to_owned(),
        counter("ticket"),
        counter("applied_ticket"),
        optional("price_amount"),
        text("price_currency"),
        text("price_interval"),
        counter("attempts"),
        optional("next_attempt_at"),
    ]
}

fn billing_notice() -> TableCreateStatement {
    Table::create()
        .table("billing_notice")
        .col(uuid("provision"))
        .col(string("kind"))
        .col(string("about"))
        .primary_key(Index::create().col("provision").col("kind").col("about"))
        .foreign_key(ForeignKey::create().from("billing_notice", "provision").to("provision", "uid"))
        .to_owned()
}

fn billing_comparison() -> TableCreateStatement {
    Table::create()
        .table("billing_comparison")
        .col(integer("id").primary_key())
        .col(big_integer("at"))
        .col(big_integer("subscriptions"))
        .col(json("findings"))
        .to_owned()
}
