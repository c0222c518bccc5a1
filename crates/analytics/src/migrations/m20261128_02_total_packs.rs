//! All-time totals of content items, most of them packed into one row per organisation.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, binary, uuid};

use super::create_by_key;

/// Creates the tables. All totals are unpacked until a job packs them.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261128_02_total_packs"
    }
}

const FILL: &str = "INSERT INTO total_unpacked (org, content, views, watch_ms) \
     SELECT org, uid, views, watch_ms FROM content WHERE views <> 0 OR watch_ms <> 0";

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let packs = Table::create()
            .table("total_pack")
            .col(uuid("org").primary_key())
            .col(big_integer("since"))
            .col(binary("data"))
            .to_owned();
        manager.create_table(packs).await?;
        let unpacked = Table::create()
            .table("total_unpacked")
            .col(uuid("org"))
            .col(uuid("content"))
            .col(big_integer("views"))
            .col(big_integer("watch_ms"))
            .primary_key(Index::create().col("org").col("content"))
            .to_owned();
        create_by_key(manager, &unpacked).await?;
        manager.get_connection().execute_unprepared(FILL).await.map(drop)
    }
}
