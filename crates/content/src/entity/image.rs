//! The `image` table.

use kernel::{OrgId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

/// A public image; anyone who knows its name may see it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "image")]
pub struct Model {
    /// 32 hexadecimal digits, from 16 random bytes.
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub org: Option<OrgId>,
    pub person: PersonId,
    pub media_type: String,
    pub created_at: Timestamp,
    /// Widths in pixels of the smaller versions, narrowest first, separated by commas.
    pub widths: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
