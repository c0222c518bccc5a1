//! One row a code sent by mail.

use sea_orm::entity::prelude::*;

/// A code in a letter; only its hash is kept.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mailed_code")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    /// [`crate::codes::Purpose`].
    pub kind: String,
    pub email: String,
    /// The address as letters are counted by it.
    pub mailbox: String,
    pub code_hash: Vec<u8>,
    pub created_at: i64,
    pub expires_at: i64,
    pub used_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
