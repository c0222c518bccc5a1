//! Counts of wrong passwords and digits, shared by all servers.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, binary};

/// Creates `sign_in_attempt`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "identity_20261126_01_attempts"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("sign_in_attempt")
            .col(binary("uid").primary_key())
            .col(big_integer("tries"))
            .col(big_integer("at"))
            .col(big_integer("expires_at"))
            .to_owned();
        manager.create_table(table).await?;
        manager.create_index(db::index("sign_in_attempt_expiry", "sign_in_attempt", &["expires_at"])).await
    }
}
