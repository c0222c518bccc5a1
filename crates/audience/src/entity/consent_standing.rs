//! One row per person and organisation: the latest answer, written in the same transaction as its record.

use sea_orm::entity::prelude::*;

/// The latest answer.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "consent_standing")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub org: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: Uuid,
    /// Id of the row in `consent`.
    pub record: Uuid,
    pub consent: bool,
    /// Since when the answer has been the same without interruption.
    pub since: i64,
    pub notice_version: String,
    pub method: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
