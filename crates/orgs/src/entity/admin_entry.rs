//! One row per command of the operator that changed something.

use kernel::{AuditEntryId, Timestamp, Uid};
use sea_orm::entity::prelude::*;

/// A command that changed something.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "admin_entry")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: AuditEntryId,
    /// The user of the operating system who ran it.
    pub operator: String,
    /// Its words and options, without addresses and names.
    pub command: String,
    /// What it changed, if that is one thing.
    pub target: Option<Uid>,
    /// Number of things that it changed.
    pub changes: i64,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
