//! Records when each of a session's last refresh tokens was spent, instead of only the very last one.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::json_null;

/// Adds `session.spent`, removes `session.rotated_at`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "identity_20261120_02_spent"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let add = Table::alter().table("session").add_column(json_null("spent")).to_owned();
        manager.alter_table(add).await?;
        let remove = Table::alter().table("session").drop_column("rotated_at").to_owned();
        manager.alter_table(remove).await
    }
}
