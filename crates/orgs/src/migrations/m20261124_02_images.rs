//! Indexes for the search of images that are in use.

use sea_orm_migration::prelude::*;

/// Creates the indexes, without the rows that have no image.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "orgs_20261124_02_images"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for index in [
            db::index("organisation_logo", "organisation", &["logo"])
                .and_where(Expr::cust("logo <> ''"))
                .to_owned(),
            db::index("organisation_background", "organisation", &["theme_background"])
                .and_where(Expr::cust("theme_background <> ''"))
                .to_owned(),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}
