//! One row per person who unsubscribed from an organisation's announcements.

use sea_orm::entity::prelude::*;

/// An unsubscribed person.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "unsubscribe")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub org: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: Uuid,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
