//! The time zone in which the days of an organisation are cut.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer_null, string, uuid};

/// Creates the table. Days are taken to be cut in the zone of today; of organisations without a row, a job counts the few
/// events again.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261130_02_zone_cut"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("zone_cut")
            .col(uuid("org").primary_key())
            .col(string("time_zone"))
            .col(big_integer_null("since"))
            .to_owned();
        manager.create_table(table).await?;
        let fill = "INSERT INTO zone_cut (org, time_zone) SELECT uid, time_zone FROM organisation";
        manager.get_connection().execute_unprepared(fill).await.map(drop)
    }
}
