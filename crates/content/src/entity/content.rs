//! One row a content.

use sea_orm::entity::prelude::*;

/// A content; the words in text columns are those of `model`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "content")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    pub org: Uuid,
    pub title: String,
    pub description: String,
    /// Path of the chosen thumbnail, or empty.
    pub preview: String,
    pub privacy: String,
    /// `native`, `integration` or `draft`.
    pub origin: String,
    pub kind: String,
    /// The address of an embedded film, or empty.
    pub link: String,
    pub file_name: Option<String>,
    pub file_size: Option<i64>,
    /// The type its sender declared.
    pub file_type: Option<String>,
    pub file_modified: Option<i64>,
    /// MD5 in base64, as its sender declared and we found it.
    pub file_checksum: Option<String>,
    /// The upload whose bytes are served.
    pub source: Option<Uuid>,
    /// The type it is served as.
    pub media_type: Option<String>,
    pub sha256: Option<Vec<u8>>,
    pub duration_ms: Option<i64>,
    pub width: Option<i32>,
    pub height: Option<i32>,
    /// Names of the codecs of picture and sound, as they are shown.
    pub codecs: Option<String>,
    /// The source the generated picture was taken from.
    pub poster: Option<Uuid>,
    pub processing: String,
    pub views: i64,
    pub watch_ms: i64,
    /// Whether its users are to be told when it becomes available.
    pub notify: bool,
    pub created_by: Uuid,
    pub created_at: i64,
    pub modified_at: i64,
    pub deleted_at: Option<i64>,
    /// When the bytes of a deleted content were removed.
    pub purged_at: Option<i64>,
    /// The title as it is searched.
    pub title_folded: String,
    /// The making whose files are served.
    pub rendition: Option<Uuid>,
    /// What that making holds, in words of `item`.
    pub rendition_has: String,
    /// The making under way.
    pub making: Option<Uuid>,
    /// When a worker was last heard of.
    pub making_at: Option<i64>,
    /// Hundredths of the making under way.
    pub progress: Option<i32>,
    pub seconds_left: Option<i64>,
    /// Why processing failed, in a word of `model`.
    pub failure: Option<String>,
    /// The captions, as JSON of `item`.
    pub captions: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
