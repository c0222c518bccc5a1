//! Records of stored objects, and an index of content by creator.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, string, text, uuid_null};
use sea_orm_migration::sea_orm::DbBackend;

/// Creates `stored_object`, fills it with the files that are served, and indexes content by creator.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261121_07_stored_objects"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(stored_object()).await?;
        for (name, table, columns) in [
            ("stored_object_org", "stored_object", &["org", "kind"][..]),
            ("stored_object_content", "stored_object", &["content"]),
            ("stored_object_unreferenced", "stored_object", &["unreferenced_at"]),
            ("content_created_by", "content", &["created_by", "origin"]),
        ] {
            let mut index = Index::create();
            index.name(name).table(table);
            for column in columns {
                index.col(*column);
            }
            manager.create_index(index.clone()).await?;
        }
        // The sizes of existing renditions are unknown here; they count after the next processing.
        let hex = |column: &str| match manager.get_database_backend() {
            DbBackend::Sqlite => format!("lower(hex({column}))"),
            _ => format!("replace({column}::text, '-', '')"),
        };
        let fill = format!(
            "INSERT INTO stored_object (path, org, content, upload, kind, bytes) \
             SELECT 'content/' || {} || '/' || {} || '/source-' || {}, org, uid, source, 'source', \
             COALESCE(file_size, 0) FROM content WHERE source IS NOT NULL AND purged_at IS NULL",
            hex("org"),
            hex("uid"),
            hex("source"),
        );
        manager.get_connection().execute_unprepared(&fill).await?;
        Ok(())
    }
}

fn stored_object() -> TableCreateStatement {
    Table::create()
        .table("stored_object")
        .col(text("path").primary_key())
        .col(uuid_null("org"))
        .col(uuid_null("content"))
        .col(uuid_null("upload"))
        .col(string("kind"))
        .col(big_integer("bytes"))
        .col(big_integer_null("unreferenced_at"))
        .to_owned()
}
