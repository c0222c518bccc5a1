//! The answer given for an idempotency key, so that a repeated call gets the same one.

use kernel::Timestamp;
use sea_orm::entity::prelude::*;

/// A call that the sandbox answered once and repeats for the same idempotency key.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sandbox_call")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// Path and body of the call.
    pub request: String,
    pub response: Json,
    pub time_created: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
