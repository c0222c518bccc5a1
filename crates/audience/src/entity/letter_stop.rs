//! One row a person who wants no letters about what is new in an organisation.

use sea_orm::entity::prelude::*;

/// A person's wish.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "letter_stop")]
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
