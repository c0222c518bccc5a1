//! Six digits in the email of a magic link, for the browser that asked for it.

use sea_orm_migration::prelude::*;

/// Adds `mailed_code.digits_hash`, `mailed_code.browser_hash` and `mailed_code.wrong_digits`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "identity_20261125_01_digits"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [
            ColumnDef::new("digits_hash").binary().null().to_owned(),
            ColumnDef::new("browser_hash").binary().null().to_owned(),
            ColumnDef::new("wrong_digits").integer().not_null().default(0).to_owned(),
        ] {
            manager.alter_table(Table::alter().table("mailed_code").add_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
