//! The outbox.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, integer, string, text, uuid, uuid_null};

/// Creates `mail_outbox`.
pub(crate) struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "mail_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(mail_outbox()).await?;
        for index in [
            db::index("mail_outbox_recipient", "mail_outbox", &["recipient", "uid"]),
            db::index("mail_outbox_state", "mail_outbox", &["state", "uid"]),
            // Other emails have NULL here, and NULLs do not collide in a unique index.
            db::index("mail_outbox_topic_person", "mail_outbox", &["topic", "person"]).unique().to_owned(),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn mail_outbox() -> TableCreateStatement {
    Table::create()
        .table("mail_outbox")
        .col(uuid("uid").primary_key())
        .col(string("recipient"))
        .col(string("kind"))
        .col(string("subject"))
        .col(text("text_body"))
        .col(text("html_body"))
        .col(uuid_null("topic"))
        .col(uuid_null("person"))
        .col(text("unsubscribe_url").default(""))
        .col(string("state"))
        .col(integer("attempts").default(0))
        .col(big_integer_null("attempted_at"))
        .col(uuid_null("job"))
        .col(string("last_error"))
        .col(big_integer("time_created"))
        .col(big_integer_null("expires_at"))
        .to_owned()
}
