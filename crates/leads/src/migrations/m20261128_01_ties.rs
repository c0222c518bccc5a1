//! Indexes of the list by score, in which people with equal scores follow by when they were last seen.

use sea_orm_migration::prelude::*;

/// Replaces both indexes by score.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "leads_20261128_01_ties"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, columns) in [
            ("lead_shown_score", &["org", "score", "last_seen_at", "person"][..]),
            ("lead_shown_temperature", &["org", "temperature", "score", "last_seen_at", "person"]),
        ] {
            manager.drop_index(Index::drop().name(name).table("lead").to_owned()).await?;
            let mut shown = db::index(name, "lead", columns);
            shown.and_where(Expr::cust("shown"));
            manager.create_index(shown).await?;
        }
        Ok(())
    }
}
