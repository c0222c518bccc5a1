//! Totals of days are stored by item: screens about one item read a year of its days, those about all items only the days
//! at the ends of a range. PostgreSQL stores rows in the order in which they came, so its index has the sums, too.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string, uuid};
use sea_orm_migration::sea_orm::DbBackend;

use super::create_by_key;

/// Makes the table anew, with the same rows.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261127_03_days_by_item"
    }
}

const MOVE: [&str; 3] = [
    "INSERT INTO watch_day_by_item (org, list, day, item, watch_ms, late_ms, views) \
     SELECT org, list, day, item, watch_ms, late_ms, views FROM watch_day ORDER BY org, item, day, list",
    "DROP TABLE watch_day",
    "ALTER TABLE watch_day_by_item RENAME TO watch_day",
];

const INCLUDE: [&str; 2] = [
    "ALTER TABLE watch_day DROP CONSTRAINT watch_day_by_item_pkey",
    "ALTER TABLE watch_day ADD CONSTRAINT watch_day_by_item_pkey PRIMARY KEY (org, item, day, list) \
     INCLUDE (watch_ms, late_ms, views)",
];

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        create_by_key(manager, &table()).await?;
        for sql in MOVE {
            connection.execute_unprepared(sql).await?;
        }
        if connection.get_database_backend() == DbBackend::Postgres {
            for sql in INCLUDE {
                connection.execute_unprepared(sql).await?;
            }
        }
        manager.create_index(db::index("watch_day_list", "watch_day", &["org", "list", "day"])).await
    }
}

fn table() -> TableCreateStatement {
    Table::create()
        .table("watch_day_by_item")
        .col(uuid("org"))
        .col(string("list"))
        .col(big_integer("day"))
        .col(uuid("item"))
        .col(big_integer("watch_ms"))
        .col(big_integer("late_ms"))
        .col(big_integer("views"))
        .primary_key(
            Index::create().name("watch_day_by_item_pkey").col("org").col("item").col("day").col("list"),
        )
        .to_owned()
}
