//! An index of the people of an organisation by the time at which they joined.

use sea_orm_migration::prelude::*;

/// Creates the index.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261125_02_joined"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_index(db::index("org_person_joined", "org_person", &["org", "joined_at"])).await
    }
}
