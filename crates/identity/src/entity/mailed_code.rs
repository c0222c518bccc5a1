//! One row per code sent by email.

use sea_orm::entity::prelude::*;

/// A code sent by email; only its hash is stored.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mailed_code")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    /// [`crate::codes::Purpose`].
    pub kind: String,
    pub email: String,
    /// The mailbox of the address, by which emails are counted.
    pub mailbox: String,
    pub code_hash: Vec<u8>,
    pub created_at: i64,
    pub expires_at: i64,
    pub used_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
