//! One row per change that an organisation or a billing account can look up.

use db::Stored;
use kernel::{AccountId, AuditEntryId, OrgId, PersonId, Timestamp, Uid};
use sea_orm::entity::prelude::*;

use crate::audit::AuditAction;

/// A change. It belongs to an organisation or to an account.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entry")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: AuditEntryId,
    pub org: Option<OrgId>,
    pub account: Option<AccountId>,
    /// `None` for what the server did by itself.
    pub actor: Option<PersonId>,
    pub action: Stored<AuditAction>,
    pub target: Uid,
    pub target_name: Option<String>,
    /// The changed fields before.
    pub before: Option<Json>,
    /// The changed fields after.
    pub after: Option<Json>,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
