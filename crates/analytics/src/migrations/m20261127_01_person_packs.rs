//! What a person watched in four weeks, packed into one row.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, binary, uuid};

use super::create_by_key;

/// Creates the tables. All periods are read from the totals by hour until a job packs them.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261127_01_person_packs"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [person_pack(), person_packed()] {
            create_by_key(manager, &table).await?;
        }
        Ok(())
    }
}

pub(super) fn person_pack() -> TableCreateStatement {
    Table::create()
        .table("person_pack")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(big_integer("since"))
        .col(big_integer("period"))
        .col(binary("data"))
        .primary_key(Index::create().col("org").col("person").col("since").col("period"))
        .to_owned()
}

/// The periods of which the job has packed all people.
fn person_packed() -> TableCreateStatement {
    Table::create()
        .table("person_packed")
        .col(big_integer("period"))
        .primary_key(Index::create().col("period"))
        .to_owned()
}
