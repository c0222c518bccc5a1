//! The time from which an organisation that is past due is suspended.

use sea_orm_migration::prelude::*;

/// Adds the column: 14 days after the plan became past due.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261126_01_suspension"
    }
}

const FILL: &str = "UPDATE organisation SET suspended_from = (SELECT MAX(p.state_since) + 1209600000 FROM provision p \
     WHERE p.org = organisation.uid AND p.state = 'pastDue') WHERE standing = 'pastDue'";

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("suspended_from").big_integer().null().to_owned();
        manager.alter_table(Table::alter().table("organisation").add_column(column).to_owned()).await?;
        // A new database has no purchases yet.
        if manager.has_table("provision").await? && manager.has_column("provision", "state").await? {
            manager.get_connection().execute_unprepared(FILL).await?;
        }
        Ok(())
    }
}
