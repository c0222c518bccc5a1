//! Content, uploads, stored objects, public images and renewed playback addresses.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, binary_null, boolean, integer_null, string, string_null, text, text_null,
    uuid, uuid_null, uuid_uniq,
};

/// Creates `content`, `upload`, `resumable`, `stored_object`, `image` and `content_grant`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "content_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [content(), upload(), resumable(), stored_object(), image(), content_grant()] {
            manager.create_table(table).await?;
        }
        for index in [
            db::index("content_org", "content", &["org", "uid"]),
            db::index("content_origin", "content", &["origin", "created_at"]),
            db::index("content_created_by", "content", &["created_by", "origin"]),
            db::index("content_heartbeat", "content", &["processing", "heartbeat_at"]),
            db::index("content_deleted", "content", &["deleted_at"]),
            db::index("upload_content", "upload", &["content"]),
            db::index("upload_org_status", "upload", &["org", "status"]),
            db::index("upload_person_created", "upload", &["person", "created_at"]),
            db::index("upload_status", "upload", &["status", "created_at"]),
            db::index("resumable_expires", "resumable", &["expires_at"]),
            db::index("stored_object_org", "stored_object", &["org", "kind"]),
            db::index("stored_object_content", "stored_object", &["content"]),
            db::index("stored_object_unreferenced", "stored_object", &["unreferenced_at"]),
            db::index("content_grant_expires", "content_grant", &["expires_at"]),
        ] {
            manager.create_index(index).await?;
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
        .col(text("title_folded").default(""))
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
        .col(text_null("codecs"))
        .col(uuid_null("poster"))
        .col(text("captions").default("[]"))
        .col(uuid_null("rendition"))
        .col(string("rendition_has").default(""))
        .col(string("processing"))
        .col(uuid_null("processing_run"))
        .col(big_integer_null("heartbeat_at"))
        .col(integer_null("progress"))
        .col(big_integer_null("seconds_left"))
        .col(string_null("failure"))
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
        .col(big_integer_null("received_size"))
        .col(string_null("received_md5"))
        .col(binary_null("received_sha256"))
        .col(string_null("received_type"))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("finished_at"))
        .foreign_key(ForeignKey::create().from("upload", "content").to("content", "uid"))
        .foreign_key(ForeignKey::create().from("upload", "person").to("person", "uid"))
        .to_owned()
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
