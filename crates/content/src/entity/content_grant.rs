//! The `content_grant` table.

use kernel::{ContentId, GrantId, Timestamp};
use sea_orm::entity::prelude::*;

/// A playback address that was renewed beyond the expiry in its token.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "content_grant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: GrantId,
    pub content: ContentId,
    pub expires_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
