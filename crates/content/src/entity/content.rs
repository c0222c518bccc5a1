//! The `content` table.

use db::Stored;
use kernel::{ContentId, Millis, OrgId, PersonId, Privacy, RunId, Timestamp, VersionId};
use sea_orm::entity::prelude::*;

use crate::model::{ContentKind, Origin, Processing, ProcessingFailure};

/// A content item.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "content")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: ContentId,
    pub org: OrgId,
    pub title: String,
    pub description: String,
    /// Path of the chosen thumbnail, or empty.
    pub preview: String,
    pub privacy: Stored<Privacy>,
    pub origin: Stored<Origin>,
    pub kind: Stored<ContentKind>,
    /// URL of an embedded video, or empty.
    pub link: String,
    pub file_name: Option<String>,
    pub file_size: Option<i64>,
    /// The type declared by the sender.
    pub file_type: Option<String>,
    pub file_modified: Option<Timestamp>,
    /// MD5 in base64, as declared and verified.
    pub file_checksum: Option<String>,
    /// The upload whose bytes are served.
    pub source: Option<VersionId>,
    /// The type it is served as.
    pub media_type: Option<String>,
    pub sha256: Option<Vec<u8>>,
    pub duration_ms: Option<Millis>,
    pub width: Option<i32>,
    pub height: Option<i32>,
    /// Names of the video and audio codecs, for display.
    pub codecs: Option<String>,
    /// The source version that the poster was made from.
    pub poster: Option<VersionId>,
    /// Widths of the smaller versions of the poster, such as `400,800`.
    pub poster_widths: String,
    pub processing: Stored<Processing>,
    pub views: i64,
    pub watch_ms: Millis,
    /// Whether to announce it to app users when it becomes available.
    pub notify: bool,
    pub created_by: PersonId,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
    /// When the files of a deleted item were removed.
    pub purged_at: Option<Timestamp>,
    /// The title in the form used for search.
    pub title_folded: String,
    /// The processing run whose output is served.
    pub rendition: Option<RunId>,
    /// The parts of that output, in words of `item`.
    pub rendition_has: String,
    /// The current processing run.
    pub processing_run: Option<RunId>,
    /// Last heartbeat of the worker.
    pub heartbeat_at: Option<Timestamp>,
    /// Percentage of the current run that is done.
    pub progress: Option<i32>,
    pub seconds_left: Option<i64>,
    /// Why processing failed.
    pub failure: Option<Stored<ProcessingFailure>>,
    /// JSON of the captions in `item`.
    pub captions: String,
    /// When app users may see it from.
    pub publish_at: Option<Timestamp>,
    /// When app users may no longer see it.
    pub expire_at: Option<Timestamp>,
    /// Whether app users may download the file; NULL leaves it to its kind.
    pub downloadable: Option<bool>,
    /// Number of pages of a document.
    pub pages: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
