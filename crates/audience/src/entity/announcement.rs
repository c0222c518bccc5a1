//! One row per announcement, kept forever, so that nothing is announced twice.

use db::Stored;
use kernel::{OrgId, PersonId, Timestamp, Uid};
use sea_orm::entity::prelude::*;

use crate::announcements::{Kind, State};

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "announcement")]
pub struct Model {
    /// Id of the content item or playlist.
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: Uid,
    pub org: OrgId,
    pub kind: Stored<Kind>,
    pub state: Stored<State>,
    /// When it is dropped if app users still cannot see the subject.
    pub until: Timestamp,
    /// Last recipient so far; recipients are processed in order of their ids.
    pub last_recipient: Option<PersonId>,
    /// When a job last processed it.
    pub processed_at: Timestamp,
    pub created_at: Timestamp,
    /// Since when app users can see the subject, as far as a job knows; `None` if they cannot.
    pub visible_since: Option<Timestamp>,
    /// The announcement whose emails list this subject, too; `None` if it is this one.
    pub listed_in: Option<Uid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
