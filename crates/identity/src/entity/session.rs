//! One row per session.

use db::Stored;
use kernel::{PersonId, SessionId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::refresh::App;

/// A session of a person in one app.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: SessionId,
    pub person: PersonId,
    /// Number of refreshes; the tokens of older generations are spent.
    pub generation: i32,
    pub device: String,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
    pub expires_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    /// [`crate::refresh::SpentTimes`].
    pub spent: Option<Json>,
    pub app: Stored<App>,
    /// Network address at the last sign-in or refresh; empty if unknown.
    pub client_address: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
