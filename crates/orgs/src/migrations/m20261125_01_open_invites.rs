//! An index of the invitations that were neither accepted nor revoked, which are few among those of years.

use sea_orm_migration::prelude::*;

/// Creates the index.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261125_01_open_invites"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut open = db::index("invite_open", "invite", &["org", "uid"]);
        open.and_where(Expr::cust("accepted_at IS NULL AND revoked_at IS NULL"));
        manager.create_index(open).await
    }
}
