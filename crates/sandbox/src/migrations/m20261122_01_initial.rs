//! Objects and calls of the stand-ins, and the test clock.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, integer, json, string, text};

/// Creates `sandbox_object`, `sandbox_call` and `sandbox_clock`.
pub(crate) struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "sandbox_20261122_01_initial"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [sandbox_object(), sandbox_call(), sandbox_clock()] {
            manager.create_table(table).await?;
        }
        for index in [
            db::index("sandbox_object_owner", "sandbox_object", &["kind", "owner"]),
            db::index("sandbox_object_reference", "sandbox_object", &["kind", "reference"]),
            db::index("sandbox_object_due", "sandbox_object", &["kind", "due"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn sandbox_object() -> TableCreateStatement {
    Table::create()
        .table("sandbox_object")
        .col(string("id").primary_key())
        .col(string("kind"))
        .col(string("owner"))
        .col(string("reference"))
        .col(json("body"))
        .col(json("inner"))
        .col(big_integer_null("due"))
        .col(big_integer("time_created"))
        .to_owned()
}

fn sandbox_call() -> TableCreateStatement {
    Table::create()
        .table("sandbox_call")
        .col(string("key").primary_key())
        .col(text("request"))
        .col(json("response"))
        .col(big_integer("time_created"))
        .to_owned()
}

fn sandbox_clock() -> TableCreateStatement {
    Table::create()
        .table("sandbox_clock")
        .col(integer("id").primary_key())
        .col(big_integer("offset_ms"))
        .to_owned()
}
