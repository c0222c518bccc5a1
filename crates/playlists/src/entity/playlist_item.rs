//! One row a content in a playlist: the way back from content to playlists.

use sea_orm::entity::prelude::*;

/// A place of a content.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "playlist_item")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub content: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub playlist: Uuid,
    pub org: Uuid,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
