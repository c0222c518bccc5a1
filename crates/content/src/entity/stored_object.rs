//! The `stored_object` table: one row per stored object, or per folder of objects that were produced
//! together.

use db::Stored;
use kernel::{ContentId, OrgId, Timestamp, UploadId};
use sea_orm::entity::prelude::*;

/// A stored object. The row is written before the object and removed after it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "stored_object")]
pub struct Model {
    /// Storage key; for renditions, the folder they are in.
    #[sea_orm(primary_key, auto_increment = false)]
    pub path: String,
    /// Empty for a person's own image.
    pub org: Option<OrgId>,
    pub content: Option<ContentId>,
    /// The upload that created it. While that is pending, the object is part of its reservation.
    pub upload: Option<UploadId>,
    pub kind: Stored<ObjectKind>,
    pub bytes: i64,
    /// The time since which no row refers to it; empty while one does.
    pub unreferenced_at: Option<Timestamp>,
}

/// Kind of stored object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ObjectKind {
    /// An uploaded file.
    #[sea_orm(string_value = "source")]
    Source,
    /// The bytes received for a resumable upload.
    #[sea_orm(string_value = "staged")]
    Staged,
    #[sea_orm(string_value = "poster")]
    Poster,
    #[sea_orm(string_value = "rendition")]
    Rendition,
    #[sea_orm(string_value = "captions")]
    Captions,
    /// A public image.
    #[sea_orm(string_value = "image")]
    Image,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
