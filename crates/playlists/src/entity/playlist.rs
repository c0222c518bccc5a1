//! The `playlist` table.

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
    /// Ids of the items, in order.
    pub items: Json,
    pub watch_ms: i64,
    pub created_at: i64,
    pub modified_at: i64,
    pub deleted_at: Option<i64>,
    /// The title in the form used for search and sorting.
    pub title_folded: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
