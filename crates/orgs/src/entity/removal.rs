//! One row per person, organisation and kind of what people withdrew or had erased, so that a restored backup from before
//! is cut again.

use kernel::{OrgId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::removals::RemovalKind;

/// The last removal of its kind.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "removal")]
pub struct Model {
    /// The organisation; the id that none has for an account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub org: OrgId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: PersonId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: RemovalKind,
    /// When it was. Of an account only the day.
    pub at: Timestamp,
    /// Whether it is in the list beside the backups.
    pub is_listed: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
