//! The answer given for an idempotency key, so that a repeated call gets the same one.

use kernel::Millis;
use sea_orm::entity::prelude::*;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sandbox_call")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// Path and body of the call.
    pub request: String,
    pub response: Json,
    pub time_created: Millis,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
