//! The `storage_identity` table, which has one row.

use kernel::{Timestamp, Uid};
use sea_orm::entity::prelude::*;

/// The id of the storage whose files the rows refer to.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "storage_identity")]
pub struct Model {
    /// Always 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    pub id: Uid,
    /// Whether the id was written into the storage.
    pub is_stored: bool,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
