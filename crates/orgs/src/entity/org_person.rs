//! One row per person an organisation knows.

use db::Stored;
use kernel::{MembershipId, OrgId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::rights::Role;

/// A member, or a person who answered the organisation's notice.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "org_person")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub org: OrgId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: PersonId,
    /// The membership; `None` for people who are not members.
    pub membership: Option<MembershipId>,
    /// `user` for people who are not members.
    pub role: Stored<Role>,
    pub joined_at: Option<Timestamp>,
    /// Latest answer to the notice.
    pub consent: Option<bool>,
    pub answered_at: Option<Timestamp>,
    /// When the person was kept from rejoining.
    pub blocked_at: Option<Timestamp>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
