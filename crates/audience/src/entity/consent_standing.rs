//! One row per person and organisation: the latest answer, written in the same transaction as its record.

use db::Stored;
use kernel::{ConsentId, OrgId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::model::Method;

/// The latest answer.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "consent_standing")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub org: OrgId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: PersonId,
    /// Id of the row in `consent`.
    pub record: ConsentId,
    pub consent: bool,
    /// When the answer last changed.
    pub since: Timestamp,
    pub notice_version: String,
    pub method: Stored<Method>,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
