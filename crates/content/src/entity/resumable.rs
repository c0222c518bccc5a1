//! The `resumable` table.

use kernel::{ResumableId, Timestamp, UploadId};
use sea_orm::entity::prelude::*;

/// A resumable upload. Its address contains its id, signed. The row outlives the upload until the storage is
/// cleaned up.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "resumable")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: ResumableId,
    /// The upload it belongs to; an upload has at most one.
    #[sea_orm(unique)]
    pub upload: UploadId,
    /// Bytes that are safe. It reaches the total only when the upload is available.
    pub upload_offset: i64,
    /// Total bytes.
    pub length: i64,
    /// What the storage needs to resume: states of the hashes, parts.
    pub progress: String,
    /// Other metadata of the sender, as sent.
    pub metadata: String,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
