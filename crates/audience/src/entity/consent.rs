//! One row per answer, never changed: proof of the decision. Deleted only with the data of an unverified
//! account.

use db::Stored;
use kernel::{ConsentId, OrgId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::model::Method;

/// An answer to the consent notice.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "consent")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: ConsentId,
    pub org: OrgId,
    pub person: PersonId,
    pub consent: bool,
    pub notice_version: String,
    /// SHA-256 of the notice's text.
    pub notice_digest: Vec<u8>,
    pub method: Stored<Method>,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
