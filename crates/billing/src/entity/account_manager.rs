//! The `account_manager` table.

use kernel::{AccountId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

/// A person who may manage a billing account.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account_manager")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: PersonId,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
