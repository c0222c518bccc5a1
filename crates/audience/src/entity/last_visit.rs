//! One row per person and organisation: the current visit and the one before.

use kernel::{OrgId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

/// The visits of a person.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "last_visit")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub org: OrgId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: PersonId,
    /// When the app last saved something.
    pub active_at: Timestamp,
    /// When the visit before ended.
    pub previous_at: Option<Timestamp>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
