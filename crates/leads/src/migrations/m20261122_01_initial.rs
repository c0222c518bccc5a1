//! Leads and the ledger of their points.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, double, string, uuid};

/// Creates `lead` and `lead_ledger`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "leads_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(lead()).await?;
        manager.create_table(lead_ledger()).await?;
        for index in [
            db::index("lead_org_score", "lead", &["org", "score", "person"]),
            db::index("lead_day", "lead", &["day"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn lead() -> TableCreateStatement {
    Table::create()
        .table("lead")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(big_integer("since"))
        .col(double("points"))
        .col(big_integer("day"))
        .col(big_integer("score"))
        .col(string("temperature"))
        .col(big_integer("modified_at"))
        .primary_key(Index::create().col("org").col("person"))
        .to_owned()
}

fn lead_ledger() -> TableCreateStatement {
    Table::create()
        .table("lead_ledger")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(big_integer("since"))
        .col(big_integer("day"))
        .col(string("cause"))
        .col(uuid("item"))
        .col(double("points"))
        .primary_key(
            Index::create().col("org").col("person").col("since").col("day").col("cause").col("item"),
        )
        .to_owned()
}
