//! Counted views by week, for the reports about audiences: packed into one row, or not yet.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, binary, uuid};

use super::create_by_key;

/// Creates the tables. All weeks are read from their views until a job packs them.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261126_03_view_packs"
    }
}

/// The number is the length of a week.
const FILL: &str = "INSERT INTO view_unpacked (org, subject, week) \
     SELECT org, content, hour / 604800000 * 604800000 FROM viewing WHERE verdict = 'counted' UNION \
     SELECT org, playlist, hour / 604800000 * 604800000 FROM viewing WHERE verdict = 'counted' AND playlist IS NOT NULL";

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        for table in [view_pack(), view_unpacked()] {
            create_by_key(manager, &table).await?;
        }
        connection.execute_unprepared(FILL).await?;
        manager.create_index(db::index("view_pack_age", "view_pack", &["week"])).await?;
        manager.create_index(db::index("view_unpacked_age", "view_unpacked", &["week"])).await
    }
}

fn view_pack() -> TableCreateStatement {
    Table::create()
        .table("view_pack")
        .col(uuid("org"))
        .col(uuid("subject"))
        .col(big_integer("week"))
        .col(big_integer("views"))
        .col(binary("data"))
        .primary_key(Index::create().col("org").col("subject").col("week"))
        .to_owned()
}

fn view_unpacked() -> TableCreateStatement {
    Table::create()
        .table("view_unpacked")
        .col(uuid("org"))
        .col(uuid("subject"))
        .col(big_integer("week"))
        .primary_key(Index::create().col("org").col("subject").col("week"))
        .to_owned()
}
