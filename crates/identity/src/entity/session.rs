//! One row per session.

use sea_orm::entity::prelude::*;

/// A session of a person in one app.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    pub person: Uuid,
    /// Number of refreshes; the tokens of older generations are spent.
    pub generation: i32,
    pub device: String,
    pub created_at: i64,
    pub last_seen_at: i64,
    pub expires_at: i64,
    pub ended_at: Option<i64>,
    /// [`crate::refresh::SpentTimes`].
    pub spent: Option<Json>,
    /// [`crate::refresh::App`].
    pub app: String,
    /// Network address at the last sign-in or refresh; empty if unknown.
    pub client_address: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
