//! The `provision` table.

use sea_orm::entity::prelude::*;

/// A purchase of a plan.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "provision")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    pub account: Uuid,
    pub buyer: Uuid,
    pub org: Option<Uuid>,
    pub plan: Option<String>,
    pub state: String,
    pub state_since: i64,
    pub session: Option<String>,
    pub session_url: Option<String>,
    pub session_expires: i64,
    pub subscription: Option<String>,
    pub synced_at: i64,
    pub next_sync_at: Option<i64>,
    pub refunded_at: Option<i64>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
