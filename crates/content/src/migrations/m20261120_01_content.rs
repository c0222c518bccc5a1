//! Content, uploads, public images and renewed playback addresses.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, binary_null, boolean, integer_null, string, string_null, text, text_null,
    uuid, uuid_null,
};

/// Creates `content`, `upload`, `image` and `content_grant`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261120_01_content"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(content()).await?;
        manager.create_table(upload()).await?;
        manager.create_table(image()).await?;
        manager.create_table(content_grant()).await?;
        for (name, table, columns) in [
            ("content_org", "content", &["org", "uid"][..]),
            ("content_origin", "content", &["origin", "created_at"]),
            ("content_deleted", "content", &["deleted_at"]),
            ("upload_content", "upload", &["content"]),
            ("upload_org_status", "upload", &["org", "status"]),
            ("upload_status", "upload", &["status", "created_at"]),
            ("content_grant_expires", "content_grant", &["expires_at"]),
        ] {
            let mut index = Index::create();
            index.name(name).table(table);
            for column in columns {
                index.col(*column);
            }
            manager.create_index(index.clone()).await?;
        }
        Ok(())
    }
}

fn content() -> TableCreateStatement {
    Table::create()
        .table("content")
        .col(uuid("uid").primary_key())
        .col(uuid("org"))
        .col(text("title"))
        .col(text("description"))
        .col(string("preview"))
        .col(string("privacy"))
        .col(string("origin"))
        .col(string("kind"))
        .col(text("link"))
        .col(text_null("file_name"))
        .col(big_integer_null("file_size"))
        .col(string_null("file_type"))
        .col(big_integer_null("file_modified"))
        .col(string_null("file_checksum"))
        .col(uuid_null("source"))
        .col(string_null("media_type"))
        .col(binary_null("sha256"))
        .col(big_integer_null("duration_ms"))
        .col(integer_null("width"))
        .col(integer_null("height"))
        .col(uuid_null("poster"))
        .col(string("processing"))
        .col(big_integer("views"))
        .col(big_integer("watch_ms"))
        .col(boolean("notify"))
        .col(uuid("created_by"))
        .col(big_integer("created_at"))
        .col(big_integer("modified_at"))
        .col(big_integer_null("deleted_at"))
        .col(big_integer_null("purged_at"))
        .foreign_key(ForeignKey::create().from("content", "org").to("organisation", "uid"))
        .to_owned()
}

fn upload() -> TableCreateStatement {
    Table::create()
        .table("upload")
        .col(uuid("uid").primary_key())
        .col(uuid_null("org"))
        .col(uuid("person"))
        .col(uuid_null("content"))
        .col(string_null("image"))
        .col(text("file_name"))
        .col(big_integer_null("file_size"))
        .col(string_null("file_type"))
        .col(big_integer_null("file_modified"))
        .col(string("file_checksum"))
        .col(string("status"))
        .col(string_null("reason"))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("finished_at"))
        .foreign_key(ForeignKey::create().from("upload", "content").to("content", "uid"))
        .foreign_key(ForeignKey::create().from("upload", "person").to("person", "uid"))
        .to_owned()
}

fn image() -> TableCreateStatement {
    Table::create()
        .table("image")
        .col(string("name").primary_key())
        .col(uuid_null("org"))
        .col(uuid("person"))
        .col(string("media_type"))
        .col(big_integer("created_at"))
        .foreign_key(ForeignKey::create().from("image", "person").to("person", "uid"))
        .to_owned()
}

fn content_grant() -> TableCreateStatement {
    Table::create()
        .table("content_grant")
        .col(uuid("uid").primary_key())
        .col(uuid("content"))
        .col(big_integer("expires_at"))
        .foreign_key(ForeignKey::create().from("content_grant", "content").to("content", "uid"))
        .to_owned()
}
