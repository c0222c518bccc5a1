//! The id of the storage whose files the rows refer to.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, boolean, integer, uuid};

/// Creates `storage_identity`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261130_01_storage_identity"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("storage_identity")
            .col(integer("number").primary_key())
            .col(uuid("id"))
            .col(boolean("is_stored"))
            .col(big_integer("created_at"))
            .to_owned();
        manager.create_table(table).await
    }
}
