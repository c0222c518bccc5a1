//! What the provider said about a purchase, instead of a stored state, and the journal of states.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string, string_null, uuid};

/// Adds the columns and `provision_change`; `provision.state` becomes `recorded_state`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261126_02_answers"
    }
}

/// What the provider may have said, from the states of older versions. A plan that was suspended had been past due for
/// 14 days. An ended plan may have been ended by our clock alone, so ask the provider again.
const FILL: [&str; 8] = [
    "UPDATE provision SET activated_at = created_at \
     WHERE org IS NOT NULL OR state IN ('active', 'pastDue', 'suspended', 'ended')",
    "UPDATE provision SET refused_at = state_since WHERE state = 'failed' AND refunded_at IS NOT NULL",
    "UPDATE provision SET status = 'incomplete_expired' WHERE state = 'failed' AND refunded_at IS NULL",
    "UPDATE provision SET checkout_status = 'expired' WHERE state = 'expired'",
    "UPDATE provision SET status = 'active' WHERE state = 'active' AND plan IS NOT NULL",
    "UPDATE provision SET status = 'past_due', unpaid_since = CASE state WHEN 'pastDue' THEN state_since \
     ELSE state_since - 1209600000 END WHERE state IN ('pastDue', 'suspended')",
    "UPDATE provision SET status = 'canceled', ended_at = state_since WHERE state = 'ended'",
    "UPDATE provision SET next_sync_at = synced_at WHERE state = 'ended' AND subscription IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let flag = |name: &'static str| ColumnDef::new(name).boolean().not_null().default(false).to_owned();
        let number = |name: &'static str| ColumnDef::new(name).big_integer().null().to_owned();
        let text = |name: &'static str| ColumnDef::new(name).text().null().to_owned();
        let columns = [
            number("activated_at"),
            number("refused_at"),
            text("checkout_status"),
            text("status"),
            text("price_key"),
            number("price_unknown_since"),
            ColumnDef::new("quantity").big_integer().not_null().default(1).to_owned(),
            number("period_end"),
            number("cancel_at"),
            flag("ended_unpaid"),
            number("ended_at"),
            number("unpaid_since"),
            number("given_up_at"),
            flag("live_mode"),
        ];
        for column in columns {
            manager.alter_table(Table::alter().table("provision").add_column(column).to_owned()).await?;
        }
        for fill in FILL {
            manager.get_connection().execute_unprepared(fill).await?;
        }
        let of_answers = "UPDATE provision SET period_end = synced_at WHERE status IS NOT NULL";
        manager.get_connection().execute_unprepared(of_answers).await?;
        for change in [
            Table::alter().table("provision").rename_column("state", "recorded_state").to_owned(),
            Table::alter().table("provision").drop_column("state_since").to_owned(),
        ] {
            manager.alter_table(change).await?;
        }
        manager.create_table(provision_change()).await?;
        for index in [
            db::index("provision_recorded_state", "provision", &["recorded_state", "uid"]),
            db::index("provision_change_provision", "provision_change", &["provision", "uid"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn provision_change() -> TableCreateStatement {
    Table::create()
        .table("provision_change")
        .col(uuid("uid").primary_key())
        .col(uuid("provision"))
        .col(big_integer("at"))
        .col(string("from_state"))
        .col(string("to_state"))
        .col(string("cause"))
        .col(string_null("cause_id"))
        .foreign_key(ForeignKey::create().from("provision_change", "provision").to("provision", "uid"))
        .to_owned()
}
