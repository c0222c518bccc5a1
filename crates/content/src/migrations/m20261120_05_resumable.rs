//! Resumable uploads, and facts about received files.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, binary_null, string_null, text, uuid, uuid_uniq,
};

/// Creates `resumable` and adds the `received_` columns to `upload`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261120_05_resumable"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(resumable()).await?;
        let by_expiry =
            Index::create().name("resumable_expires").table("resumable").col("expires_at").to_owned();
        manager.create_index(by_expiry).await?;
        for column in [
            big_integer_null("received_size"),
            string_null("received_md5"),
            binary_null("received_sha256"),
            string_null("received_type"),
        ] {
            manager.alter_table(Table::alter().table("upload").add_column(column).to_owned()).await?;
        }
        Ok(())
    }
}

fn resumable() -> TableCreateStatement {
    Table::create()
        .table("resumable")
        .col(uuid("uid").primary_key())
        .col(uuid_uniq("upload"))
        .col(big_integer("upload_offset"))
        .col(big_integer("length"))
        .col(text("progress"))
        .col(text("metadata"))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .to_owned()
}
