//! Totals by periods of four weeks, so that lists of the most viewed, items of a playlist and hours of the week need not
//! add up every day and hour.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string, uuid};

use super::create_by_key;

/// Creates the tables and fills them from the totals of days.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261126_02_periods"
    }
}

/// The numbers are the lengths of a period and of a week.
const FILL: [&str; 3] = [
    "INSERT INTO watch_period (org, list, item, period, watch_ms, late_ms, views) \
     SELECT org, list, item, day / 2419200000 * 2419200000, CAST(SUM(watch_ms) AS BIGINT), \
     CAST(SUM(late_ms) AS BIGINT), CAST(SUM(views) AS BIGINT) FROM watch_day \
     WHERE list <> 'organisation' GROUP BY 1, 2, 3, 4",
    "INSERT INTO watch_playlist_period (org, playlist, period, content, watch_ms, late_ms, views) \
     SELECT org, playlist, day / 2419200000 * 2419200000, content, CAST(SUM(watch_ms) AS BIGINT), \
     CAST(SUM(late_ms) AS BIGINT), CAST(SUM(views) AS BIGINT) FROM watch_playlist_content GROUP BY 1, 2, 3, 4",
    "INSERT INTO watch_slot (org, period, slot, watch_ms) SELECT org, hour / 2419200000 * 2419200000, \
     hour % 604800000, CAST(SUM(watch_ms) AS BIGINT) FROM watch_hour WHERE subject = org AND watch_ms > 0 \
     GROUP BY 1, 2, 3",
];

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        for (table, fill) in [watch_period(), watch_playlist_period(), watch_slot()].into_iter().zip(FILL) {
            create_by_key(manager, &table).await?;
            connection.execute_unprepared(fill).await?;
        }
        let columns = ["org", "list", "period", "views"];
        manager.create_index(db::index("watch_period_views", "watch_period", &columns)).await
    }
}

/// The key finds the periods of an item, and the index the most viewed items of a period.
fn watch_period() -> TableCreateStatement {
    Table::create()
        .table("watch_period")
        .col(uuid("org"))
        .col(string("list"))
        .col(uuid("item"))
        .col(big_integer("period"))
        .col(big_integer("watch_ms"))
        .col(big_integer("late_ms"))
        .col(big_integer("views"))
        .primary_key(Index::create().col("org").col("list").col("item").col("period"))
        .to_owned()
}

fn watch_playlist_period() -> TableCreateStatement {
    Table::create()
        .table("watch_playlist_period")
        .col(uuid("org"))
        .col(uuid("playlist"))
        .col(big_integer("period"))
        .col(uuid("content"))
        .col(big_integer("watch_ms"))
        .col(big_integer("late_ms"))
        .col(big_integer("views"))
        .primary_key(Index::create().col("org").col("playlist").col("period").col("content"))
        .to_owned()
}

fn watch_slot() -> TableCreateStatement {
    Table::create()
        .table("watch_slot")
        .col(uuid("org"))
        .col(big_integer("period"))
        .col(big_integer("slot"))
        .col(big_integer("watch_ms"))
        .primary_key(Index::create().col("org").col("period").col("slot"))
        .to_owned()
}
