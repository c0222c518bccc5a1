//! One row per signing key.

use kernel::{Timestamp, TokenKeyId};
use sea_orm::entity::prelude::*;

/// A signing key, encrypted with the server's secret.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "token_key")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: TokenKeyId,
    pub sealed: Vec<u8>,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
