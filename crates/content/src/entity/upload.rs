//! The `upload` table.

use sea_orm::entity::prelude::*;

/// An upload. The ingest address contains its id, signed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "upload")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    /// Empty for a person's own image.
    pub org: Option<Uuid>,
    pub person: Uuid,
    /// The item it is for; empty for an image.
    pub content: Option<Uuid>,
    /// The public name of an image; empty for content.
    pub image: Option<String>,
    pub file_name: String,
    /// In bytes; empty if a new version was announced without a size.
    pub file_size: Option<i64>,
    /// Empty if a new version was announced without a type.
    pub file_type: Option<String>,
    pub file_modified: Option<i64>,
    pub file_checksum: String,
    /// `pending`, `available` or `rejected`.
    pub status: String,
    /// Why it was rejected, as a problem code.
    pub reason: Option<String>,
    pub created_at: i64,
    pub expires_at: i64,
    pub finished_at: Option<i64>,
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
