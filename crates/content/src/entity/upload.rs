//! One row a file that is expected, came, or was turned away.

use sea_orm::entity::prelude::*;

/// An upload; its id is in the ingest address, signed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "upload")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    /// Empty for a person's own picture.
    pub org: Option<Uuid>,
    pub person: Uuid,
    /// The content it is for, or empty for a picture.
    pub content: Option<Uuid>,
    /// The public name of a picture, or empty for a content.
    pub image: Option<String>,
    pub file_name: String,
    /// Bytes; empty when a new version was announced without.
    pub file_size: Option<i64>,
    /// Empty when a new version was announced without.
    pub file_type: Option<String>,
    pub file_modified: Option<i64>,
    pub file_checksum: String,
    /// `pending`, `available` or `rejected`.
    pub status: String,
    /// Why it was rejected: the code of the problem.
    pub reason: Option<String>,
    pub created_at: i64,
    pub expires_at: i64,
    pub finished_at: Option<i64>,
    /// Bytes that came, also of one that was rejected, as far as known.
    pub received_size: Option<i64>,
    /// MD5 of them in base64, if all of them came.
    pub received_md5: Option<String>,
    /// SHA-256 of them, if all of them came.
    pub received_sha256: Option<Vec<u8>>,
    /// The type their beginning shows.
    pub received_type: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
