//! The `image` table.

use sea_orm::entity::prelude::*;

/// A public image; anyone who knows its name may see it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "image")]
pub struct Model {
    /// 32 hexadecimal digits, from 16 random bytes.
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub org: Option<Uuid>,
    pub person: Uuid,
    pub media_type: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
