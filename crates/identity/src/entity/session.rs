//! One row a session.

use sea_orm::entity::prelude::*;

/// A session.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    pub person: Uuid,
    /// Counts refreshes; the token of any older generation is spent.
    pub generation: i32,
    pub device: String,
    pub created_at: i64,
    pub last_seen_at: i64,
    pub expires_at: i64,
    pub ended_at: Option<i64>,
    /// [`crate::refresh::Spent`].
    pub spent: Option<Json>,
    /// [`crate::refresh::App`].
    pub app: String,
    /// The network address of the last sign-in or refresh; empty when it was not known.
    pub place: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
