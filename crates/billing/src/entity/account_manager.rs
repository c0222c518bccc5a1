//! The `account_manager` table.

use sea_orm::entity::prelude::*;

/// A person who may manage a billing account.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account_manager")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: Uuid,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
