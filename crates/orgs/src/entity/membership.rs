//! One row per person in an organisation.

use db::Stored;
use kernel::{MembershipId, OrgId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::rights::Role;

/// A person's membership in an organisation.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "membership")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: MembershipId,
    pub org: OrgId,
    pub person: PersonId,
    pub role: Stored<Role>,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(
        belongs_to = "super::organisation::Entity",
        from = "Column::Org",
        to = "super::organisation::Column::Uid"
    )]
    Organisation,
}

impl Related<super::organisation::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Organisation.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
