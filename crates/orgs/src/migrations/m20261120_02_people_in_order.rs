//! An index of an organisation's members ordered by person, for the list that merges them with consents.

use sea_orm_migration::prelude::*;

/// Adds an index on `membership (org, person)`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261120_02_people_in_order"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let index = Index::create()
            .name("membership_org_person")
            .table("membership")
            .col("org")
            .col("person")
            .to_owned();
        manager.create_index(index).await
    }
}
