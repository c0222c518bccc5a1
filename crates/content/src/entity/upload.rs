//! The `upload` table.

use db::Stored;
use kernel::{ContentId, OrgId, PersonId, Timestamp, UploadId};
use sea_orm::entity::prelude::*;

use crate::model::UploadStatus;
use crate::reject_reason::RejectReason;

/// An upload. The ingest address contains its id, signed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "upload")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: UploadId,
    /// Empty for a person's own image.
    pub org: Option<OrgId>,
    pub person: PersonId,
    /// The item it is for; empty for an image.
    pub content: Option<ContentId>,
    /// The public name of an image; empty for content.
    pub image: Option<String>,
    pub file_name: String,
    /// In bytes; empty if a new version was announced without a size.
    pub file_size: Option<i64>,
    /// Empty if a new version was announced without a type.
    pub file_type: Option<String>,
    pub file_modified: Option<Timestamp>,
    pub file_checksum: String,
    pub status: Stored<UploadStatus>,
    /// Why it was rejected.
    pub reason: Option<Stored<RejectReason>>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// Bytes received, as far as known; also recorded for rejected uploads.
    pub received_size: Option<i64>,
    /// MD5 in base64, if the file is complete.
    pub received_md5: Option<String>,
    /// SHA-256, if the file is complete.
    pub received_sha256: Option<Vec<u8>>,
    /// The type detected from the first bytes.
    pub received_type: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
