//! The outcome of each webhook, and the ids named by those about unknown purchases.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{string, text_null, uuid_null};

/// Adds the columns to `webhook_event`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "billing_20261121_01_webhook_outcomes"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Existing rows did not record whether the purchase was known.
        let columns = [
            string("outcome").default("applied").take(),
            text_null("checkout"),
            text_null("subscription"),
            uuid_null("provision"),
        ];
        for column in columns {
            manager.alter_table(Table::alter().table("webhook_event").add_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
