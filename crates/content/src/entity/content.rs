//! The `content` table.

use sea_orm::entity::prelude::*;

/// A content item. Enumerated columns hold the words of `model`.
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
    /// URL of an embedded video, or empty.
    pub link: String,
    pub file_name: Option<String>,
    pub file_size: Option<i64>,
    /// The type declared by the sender.
    pub file_type: Option<String>,
    pub file_modified: Option<i64>,
    /// MD5 in base64, as declared and verified.
    pub file_checksum: Option<String>,
    /// The upload whose bytes are served.
    pub source: Option<Uuid>,
    /// The type it is served as.
    pub media_type: Option<String>,
    pub sha256: Option<Vec<u8>>,
    pub duration_ms: Option<i64>,
    pub width: Option<i32>,
    pub height: Option<i32>,
    /// Names of the video and audio codecs, for display.
    pub codecs: Option<String>,
    /// The source version that the poster was made from.
    pub poster: Option<Uuid>,
    pub processing: String,
    pub views: i64,
    pub watch_ms: i64,
    /// Whether to announce it to app users when it becomes available.
    pub notify: bool,
    pub created_by: Uuid,
    pub created_at: i64,
    pub modified_at: i64,
    pub deleted_at: Option<i64>,
    /// When the files of a deleted item were removed.
    pub purged_at: Option<i64>,
    /// The title in the form used for search.
    pub title_folded: String,
    /// The processing run whose output is served.
    pub rendition: Option<Uuid>,
    /// The parts of that output, in words of `item`.
    pub rendition_has: String,
    /// The current processing run.
    pub processing_run: Option<Uuid>,
    /// Last heartbeat of the worker.
    pub heartbeat_at: Option<i64>,
    /// Percentage of the current run that is done.
    pub progress: Option<i32>,
    pub seconds_left: Option<i64>,
    /// Why processing failed, as a word of `model`.
    pub failure: Option<String>,
    /// JSON of the captions in `item`.
    pub captions: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
