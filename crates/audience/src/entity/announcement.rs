//! One row per announcement, kept forever, so that nothing is announced twice.

use sea_orm::entity::prelude::*;

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "announcement")]
pub struct Model {
    /// Id of the content item or playlist.
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: Uuid,
    pub org: Uuid,
    /// `content` or `playlist`.
    pub kind: String,
    /// `waiting`, `sending`, `sent` or `dropped`.
    pub state: String,
    /// When it is dropped if app users still cannot see the subject.
    pub until: i64,
    /// Last recipient so far; recipients are processed in order of their ids.
    pub last_recipient: Option<Uuid>,
    /// When a job last processed it.
    pub processed_at: i64,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
