//! One row per person and item: how far the person is, and when the person finished it.

use kernel::{ContentId, OrgId, PersonId, PlaylistId, Timestamp};
use sea_orm::entity::prelude::*;

/// How far a person is in an item.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "item_progress")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub org: OrgId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: PersonId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub content: ContentId,
    /// The playlist in which it was opened last.
    pub playlist: PlaylistId,
    /// Milliseconds, or the page of a document; 0 if there is nothing to resume.
    pub position: i64,
    pub length: Option<i64>,
    pub seen_at: Option<Timestamp>,
    /// When the app took the position.
    pub taken_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
