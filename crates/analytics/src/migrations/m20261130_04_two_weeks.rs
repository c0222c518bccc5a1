//! Packs of what a person watched cover two weeks instead of four, because a person's page reads the hours of a period one by one
//! until it is over.

use sea_orm_migration::prelude::*;

/// Removes the packs. A job makes them again.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261130_04_two_weeks"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["person_pack", "person_packed"] {
            manager.get_connection().execute_unprepared(&format!("DELETE FROM {table}")).await?;
        }
        Ok(())
    }
}
