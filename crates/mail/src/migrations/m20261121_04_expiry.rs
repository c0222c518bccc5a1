//! When the links of an email stop working.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::big_integer_null;

pub(crate) struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "mail_20261121_04_expiry"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut table = Table::alter();
        manager
            .alter_table(table.table("mail_outbox").add_column(big_integer_null("expires_at")).to_owned())
            .await
    }
}
