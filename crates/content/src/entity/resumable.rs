//! One row an upload that comes in several requests.

use sea_orm::entity::prelude::*;

/// How far it is; its id is in its address, signed. It outlives its upload until the storage is cleared.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "resumable")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    /// The upload it is the way of; an upload has one way at a time.
    #[sea_orm(unique)]
    pub upload: Uuid,
    /// Bytes that are safe. All of them only once the upload is available.
    pub arrived: i64,
    /// Bytes of the whole.
    pub length: i64,
    /// The storage's own words about what is safe: states of the hashes, parts.
    pub progress: String,
    /// What the sender said besides, as it said it.
    pub metadata: String,
    pub created_at: i64,
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
