//! Uploads.

use kernel::{Millis, Uid};
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QuerySelect,
};

use crate::entity::upload::{Column, Entity, Model};
use crate::model::{Announced, UploadStatus, checksum};

/// A file that is expected, came, or was turned away.
#[derive(Clone, Debug)]
pub struct Upload {
    pub uid: Uid,
    pub org: Option<Uid>,
    pub person: Uid,
    pub target: Target,
    pub file: Announced,
    pub status: UploadStatus,
    pub reason: Option<String>,
    pub expires_at: Millis,
}

/// What an upload is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The file of a content.
    Content(Uid),
    /// A public picture of this name.
    Image(String),
}

impl Upload {
    fn read(row: Model) -> Option<Self> {
        let target = match (row.content, row.image) {
            (Some(content), None) => Target::Content(content),
            (None, Some(name)) => Target::Image(name),
            _ => return None,
        };
        Some(Self {
            uid: row.uid,
            org: row.org,
            person: row.person,
            target,
            file: Announced {
                name: row.file_name,
                size: row.file_size.and_then(|size| size.try_into().ok()),
                mime: row.file_type,
                modified: row.file_modified,
                md5: checksum(&row.file_checksum).ok()?,
            },
            status: UploadStatus::read(&row.status)?,
            reason: row.reason,
            expires_at: row.expires_at,
        })
    }
}

/// Adds an upload that is expected.
pub async fn insert(tx: &impl ConnectionTrait, upload: &Upload, now: Millis) -> Result<(), DbErr> {
    let (content, image) = match &upload.target {
        Target::Content(uid) => (Some(*uid), None),
        Target::Image(name) => (None, Some(name.clone())),
    };
    let row = Model {
        uid: upload.uid,
        org: upload.org,
        person: upload.person,
        content,
        image,
        file_name: upload.file.name.clone(),
        file_size: upload.file.size.map(|size| i64::try_from(size).unwrap_or(i64::MAX)),
        file_type: upload.file.mime.clone(),
        file_modified: upload.file.modified,
        file_checksum: upload.file.checksum(),
        status: upload.status.as_str().to_owned(),
        reason: None,
        created_at: now,
        expires_at: upload.expires_at,
        finished_at: None,
    };
    Entity::insert(row.into_active_model().reset_all()).exec_without_returning(tx).await?;
    Ok(())
}

/// The upload with this id, whoever's it is: the ingest address is its own proof.
pub async fn by_uid(conn: &impl ConnectionTrait, uid: Uid) -> Result<Option<Upload>, DbErr> {
    Ok(Entity::find_by_id(uid).one(conn).await?.and_then(Upload::read))
}

/// Ends an upload; false when it had ended already.
pub async fn finish(
    tx: &impl ConnectionTrait,
    uid: Uid,
    status: UploadStatus,
    reason: Option<&str>,
    now: Millis,
) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::Status, Expr::val(status.as_str()))
        .col_expr(Column::Reason, Expr::val(reason.map(str::to_owned)))
        .col_expr(Column::FinishedAt, Expr::val(Some(now)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Status.eq(UploadStatus::Pending.as_str()))
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Bytes of new versions that are expected: room that is spoken for.
pub async fn bytes_expected(conn: &impl ConnectionTrait, org: Uid, now: Millis) -> Result<u64, DbErr> {
    let sum: Option<Option<i64>> = Entity::find()
        .select_only()
        .column_as(Column::FileSize.sum().cast_as("BIGINT"), "bytes")
        .filter(Column::Org.eq(org))
        .filter(Column::Status.eq(UploadStatus::Pending.as_str()))
        .filter(Column::ExpiresAt.gt(now))
        .filter(Expr::col(Column::Uid).not_equals(Column::Content))
        .into_tuple()
        .one(conn)
        .await?;
    Ok(sum.flatten().and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0))
}

/// Pictures this person announced after `since`, and when the first of them was.
pub async fn pictures_since(
    tx: &impl ConnectionTrait,
    person: Uid,
    since: Millis,
) -> Result<(u64, Option<Millis>), DbErr> {
    let row: Option<(i64, Option<Millis>)> = Entity::find()
        .select_only()
        .column_as(Column::Uid.count(), "pictures")
        .column_as(Column::CreatedAt.min(), "first")
        .filter(Column::Person.eq(person))
        .filter(Column::CreatedAt.gt(since))
        .filter(Column::Image.is_not_null())
        .into_tuple()
        .one(tx)
        .await?;
    Ok(row.map_or((0, None), |(count, first)| (u64::try_from(count).unwrap_or(0), first)))
}

/// Removes the uploads of a content.
pub async fn remove_of(tx: &impl ConnectionTrait, content: Uid) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Content.eq(content)).exec(tx).await?;
    Ok(())
}

/// Removes uploads that ended, or were never begun, before `before`. A content's own record of its file stays.
pub async fn prune(tx: &impl ConnectionTrait, before: Millis) -> Result<u64, DbErr> {
    let done = Entity::delete_many().filter(Column::ExpiresAt.lt(before)).exec(tx).await?;
    Ok(done.rows_affected)
}
