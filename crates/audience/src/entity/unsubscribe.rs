//! One row per person who unsubscribed from an organisation's announcements.

use kernel::{OrgId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

/// An unsubscribed person.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "unsubscribe")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub org: OrgId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: PersonId,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
