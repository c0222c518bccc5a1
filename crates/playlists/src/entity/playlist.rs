//! One row a playlist.

use sea_orm::entity::prelude::*;

/// A playlist.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "playlist")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    pub org: Uuid,
    pub title: String,
    pub description: String,
    pub preview: String,
    pub privacy: String,
    pub contact_email: String,
    pub contact_phone: String,
    /// uids in their order.
    pub items: Json,
    pub watch_ms: i64,
    pub created_at: i64,
    pub modified_at: i64,
    pub deleted_at: Option<i64>,
    /// The title as it is searched and sorted.
    pub title_folded: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
