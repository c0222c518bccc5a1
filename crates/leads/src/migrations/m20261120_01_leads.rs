//! Leads and the ledger of their points.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, double, string, uuid};

/// Creates `lead` and `lead_ledger`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "leads_20261120_01_leads"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let lead = Table::create()
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
            .to_owned();
        manager.create_table(lead).await?;
        let by_score = Index::create()
            .name("lead_org_score")
            .table("lead")
            .col("org")
            .col("score")
            .col("person")
            .to_owned();
        manager.create_index(by_score).await?;
        let by_day = Index::create().name("lead_day").table("lead").col("day").to_owned();
        manager.create_index(by_day).await?;
        let ledger = Table::create()
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
            .to_owned();
        manager.create_table(ledger).await
    }
}
