//! Case-folded titles for search, and an index of uploads by person and time.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::text;

/// Adds `content.title_folded` and an index to `upload`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261120_02_folded_titles"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = Table::alter().table("content").add_column(text("title_folded").default("")).to_owned();
        manager.alter_table(column).await?;
        db::search::fill(manager.get_connection(), "content").await?;
        let by_person = Index::create()
            .name("upload_person_created")
            .table("upload")
            .col("person")
            .col("created_at")
            .to_owned();
        manager.create_index(by_person).await
    }
}
