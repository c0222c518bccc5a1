//! Emails about leads to staff.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, boolean, uuid};

/// Creates `lead_email_setting`, `lead_email` and `lead_summary`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "leads_20261125_02_emails"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [lead_email_setting(), lead_email(), lead_summary()] {
            manager.create_table(table).await?;
        }
        for index in [
            db::index("lead_email_org_person", "lead_email", &["org", "person"]),
            db::index("lead_email_created", "lead_email", &["created_at"]),
            db::index("lead_summary_due", "lead_summary", &["due_at"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn lead_email_setting() -> TableCreateStatement {
    Table::create()
        .table("lead_email_setting")
        .col(uuid("org"))
        .col(uuid("person"))
        .col(boolean("hot_leads"))
        .col(boolean("weekly_summary"))
        .primary_key(Index::create().col("org").col("person"))
        .to_owned()
}

fn lead_email() -> TableCreateStatement {
    Table::create()
        .table("lead_email")
        .col(uuid("topic").primary_key())
        .col(uuid("org"))
        .col(uuid("person"))
        .col(boolean("written"))
        .col(big_integer("created_at"))
        .to_owned()
}

fn lead_summary() -> TableCreateStatement {
    Table::create().table("lead_summary").col(uuid("org").primary_key()).col(big_integer("due_at")).to_owned()
}
