//! One row per invitation that was sent; sending one again makes a new row.

use db::Stored;
use kernel::{InviteId, OrgId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::rights::Role;

/// An invitation to the staff. Only the hash of its code is stored.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "invite")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: InviteId,
    pub org: OrgId,
    pub email: String,
    pub role: Stored<Role>,
    pub inviter: PersonId,
    pub code_hash: Vec<u8>,
    pub sent_at: Timestamp,
    pub expires_at: Timestamp,
    pub accepted_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
