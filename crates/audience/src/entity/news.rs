//! One row a thing of which app users are, or were, to be told: for ever, so that nobody is told twice.

use sea_orm::entity::prelude::*;

/// A piece of news.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "news")]
pub struct Model {
    /// The content's or playlist's id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: Uuid,
    pub org: Uuid,
    /// `content` or `playlist`.
    pub kind: String,
    /// `waiting`, `telling`, `told` or `dropped`.
    pub state: String,
    /// Until when it waits to be seen by app users.
    pub until: i64,
    /// The last person told, in the order of ids.
    pub told_to: Option<Uuid>,
    /// When a job looked at it last.
    pub looked_at: i64,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
