//! The `provision` table.

use db::Stored;
use kernel::{AccountId, OrgId, PersonId, ProvisionId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::model::{Plan, ProvisionState};

/// A purchase of a plan.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "provision")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: ProvisionId,
    pub account: AccountId,
    pub buyer: PersonId,
    pub org: Option<OrgId>,
    pub plan: Option<Stored<Plan>>,
    pub state: Stored<ProvisionState>,
    pub state_since: Timestamp,
    pub session: Option<String>,
    pub session_url: Option<String>,
    pub session_expires: Timestamp,
    pub subscription: Option<String>,
    pub synced_at: Timestamp,
    pub next_sync_at: Option<Timestamp>,
    pub refunded_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub time_zone: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
