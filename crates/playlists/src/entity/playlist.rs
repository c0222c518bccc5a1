//! The `playlist` table.

use db::Stored;
use kernel::{Millis, OrgId, PlaylistId, Privacy, Timestamp};
use sea_orm::entity::prelude::*;

/// A playlist.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "playlist")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: PlaylistId,
    pub org: OrgId,
    pub title: String,
    pub description: String,
    pub preview: String,
    pub privacy: Stored<Privacy>,
    pub contact_email: String,
    pub contact_phone: String,
    /// Ids of the items, in order.
    pub items: Json,
    pub watch_ms: Millis,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
    /// The title in the form used for search and sorting.
    pub title_folded: String,
    /// When app users may see it from.
    pub publish_at: Option<Timestamp>,
    /// When app users may no longer see it.
    pub expire_at: Option<Timestamp>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
