//! The `playlist_item` table: the reverse index from content items to the playlists that contain them.

use kernel::{ContentId, OrgId, PlaylistId};
use sea_orm::entity::prelude::*;

/// A content item in a playlist.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "playlist_item")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub content: ContentId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub playlist: PlaylistId,
    pub org: OrgId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
