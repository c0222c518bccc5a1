//! One row an object of the storage, or a folder of objects that were made together.

use sea_orm::entity::prelude::*;

/// What lies in the storage, written before the object is and removed after it is gone.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "stored_object")]
pub struct Model {
    /// Its key; of renditions the folder they lie in.
    #[sea_orm(primary_key, auto_increment = false)]
    pub path: String,
    /// Empty for a person's own picture.
    pub org: Option<Uuid>,
    pub content: Option<Uuid>,
    /// The upload it came by. While that is awaited, the object is part of what the upload reserves.
    pub upload: Option<Uuid>,
    pub kind: ObjectKind,
    pub bytes: i64,
    /// Since when no row refers to it; empty while one does.
    pub unnamed_at: Option<i64>,
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::None)")]
pub enum ObjectKind {
    /// A file as it was uploaded.
    #[sea_orm(string_value = "source")]
    Source,
    /// What has arrived of a resumable upload.
    #[sea_orm(string_value = "staged")]
    Staged,
    #[sea_orm(string_value = "poster")]
    Poster,
    #[sea_orm(string_value = "rendition")]
    Rendition,
    #[sea_orm(string_value = "captions")]
    Captions,
    /// A public picture.
    #[sea_orm(string_value = "image")]
    Image,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
