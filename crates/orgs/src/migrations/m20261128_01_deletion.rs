//! What is needed to restore a deleted organisation, and to remove its data.

use sea_orm_migration::prelude::*;

/// Adds the columns, and indexes of the organisations that are to be removed.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261128_01_deletion"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [
            ColumnDef::new("deleted_account").uuid().null().to_owned(),
            ColumnDef::new("purge_began_at").big_integer().null().to_owned(),
            ColumnDef::new("purged_at").big_integer().null().to_owned(),
        ] {
            manager.alter_table(Table::alter().table("organisation").add_column(column).to_owned()).await?;
        }
        for index in [
            db::index("organisation_deleted", "organisation", &["deleted_at"])
                .and_where(Expr::cust("deleted_at IS NOT NULL AND purged_at IS NULL"))
                .to_owned(),
            db::index("organisation_ended", "organisation", &["uid"])
                .and_where(Expr::cust("standing = 'ended' AND deleted_at IS NULL"))
                .to_owned(),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}
