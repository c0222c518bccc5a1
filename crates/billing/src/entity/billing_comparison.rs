//! What the last comparison with the provider found: one row.

use kernel::Timestamp;
use sea_orm::entity::prelude::*;

/// The last comparison.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "billing_comparison")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    pub at: Timestamp,
    pub subscriptions: i64,
    /// Array of findings.
    pub findings: Json,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
