//! Counted views are packed by week and unpacked by day, so that also the running week is packed, except for today.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, binary, uuid};
use sea_orm_migration::sea_orm::DbBackend;

use super::create_by_key;

/// Makes the tables anew. All days are read from their views until a job packs them.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261127_02_packed_days"
    }
}

/// The number is the length of a day.
const FILL: &str = "INSERT INTO view_unpacked (org, subject, day) \
     SELECT org, content, hour / 86400000 * 86400000 FROM viewing WHERE verdict = 'counted' UNION \
     SELECT org, playlist, hour / 86400000 * 86400000 FROM viewing WHERE verdict = 'counted' AND playlist IS NOT NULL";

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["view_pack", "view_unpacked"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        let connection = manager.get_connection();
        let backend = connection.get_database_backend();
        for table in [view_pack(), view_unpacked()] {
            create_by_key(manager, &table).await?;
        }
        if backend == DbBackend::Postgres {
            // Ids of viewers are random: compression only costs time.
            let storage = "ALTER TABLE view_pack ALTER COLUMN data SET STORAGE EXTERNAL, \
                ALTER COLUMN audience SET STORAGE EXTERNAL";
            connection.execute_unprepared(storage).await?;
        }
        connection.execute_unprepared(FILL).await?;
        manager.create_index(db::index("view_pack_age", "view_pack", &["week"])).await?;
        manager.create_index(db::index("view_unpacked_age", "view_unpacked", &["day"])).await
    }
}

/// The audience comes before the views, because SQLite reads a row from its start to the last column that is wanted.
pub(super) fn view_pack() -> TableCreateStatement {
    Table::create()
        .table("view_pack")
        .col(uuid("org"))
        .col(uuid("subject"))
        .col(big_integer("week"))
        .col(binary("audience"))
        .col(binary("data"))
        .primary_key(Index::create().col("org").col("subject").col("week"))
        .to_owned()
}

fn view_unpacked() -> TableCreateStatement {
    Table::create()
        .table("view_unpacked")
        .col(uuid("org"))
        .col(uuid("subject"))
        .col(big_integer("day"))
        .primary_key(Index::create().col("org").col("subject").col("day"))
        .to_owned()
}
