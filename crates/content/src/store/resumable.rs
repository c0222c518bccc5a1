//! Resumable uploads. The signed address is the credential, so these queries do not filter by organisation.

use std::collections::HashSet;

use kernel::{ResumableId, Timestamp, UploadId};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder as _, QuerySelect, SelectExt as _,
};
use storage::Progress;

use crate::entity::resumable::{Column, Entity, Model};

/// State of a resumable upload.
#[derive(Clone, Debug)]
pub struct Resumable {
    pub uid: ResumableId,
    /// The upload it belongs to.
    pub upload: UploadId,
    /// Bytes that are safe. It reaches the total only when the upload is available.
    pub offset: u64,
    /// Total bytes.
    pub length: u64,
    /// Other metadata of the sender.
    pub metadata: String,
    pub expires_at: Timestamp,
}

/// Inserts a resumable upload without any bytes.
pub async fn insert(
    tx: &impl ConnectionTrait,
    new: &Resumable,
    progress: &Progress,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = Model {
        uid: new.uid,
        upload: new.upload,
        upload_offset: signed(new.offset),
        length: signed(new.length),
        progress: progress.to_text(),
        metadata: new.metadata.clone(),
        created_at: now,
        expires_at: new.expires_at,
    };
    Entity::insert(row.into_active_model().reset_all()).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns a resumable upload. It leaves out the progress, because this query is frequent.
pub async fn by_uid(conn: &impl ConnectionTrait, uid: ResumableId) -> Result<Option<Resumable>, DbErr> {
    let row: Option<(UploadId, i64, i64, String, Timestamp)> = Entity::find_by_id(uid)
        .select_only()
        .columns([Column::Upload, Column::UploadOffset, Column::Length, Column::Metadata, Column::ExpiresAt])
        .into_tuple()
        .one(conn)
        .await?;
    Ok(row.map(|(upload, offset, length, metadata, expires_at)| Resumable {
        uid,
        upload,
        offset: offset.cast_unsigned(),
        length: length.cast_unsigned(),
        metadata,
        expires_at,
    }))
}

/// Returns the state that the storage needs to resume.
pub async fn progress(conn: &impl ConnectionTrait, uid: ResumableId) -> Result<Option<Progress>, DbErr> {
    let text: Option<String> =
        Entity::find_by_id(uid).select_only().column(Column::Progress).into_tuple().one(conn).await?;
    Ok(text.and_then(|text| Progress::parse(&text)))
}

/// Returns the resumable upload that belongs to an upload, if there is one.
pub async fn of_upload(
    conn: &impl ConnectionTrait,
    upload: UploadId,
) -> Result<Option<(ResumableId, Option<Progress>)>, DbErr> {
    let row = Entity::find().filter(Column::Upload.eq(upload)).one(conn).await?;
    Ok(row.map(|row| (row.uid, Progress::parse(&row.progress))))
}

/// Records a new offset. Returns false if another request did so first.
pub async fn advance(
    tx: &impl ConnectionTrait,
    resumable: &Resumable,
    progress: &Progress,
    expires_at: Timestamp,
) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::UploadOffset, Expr::val(signed(progress.offset())))
        .col_expr(Column::Progress, Expr::val(progress.to_text()))
        .col_expr(Column::ExpiresAt, Expr::val(expires_at))
        .filter(Column::Uid.eq(resumable.uid))
        .filter(Column::UploadOffset.eq(signed(resumable.offset)))
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Records that an upload is complete, by whichever method.
pub async fn complete(
    tx: &impl ConnectionTrait,
    upload: UploadId,
    expires_at: Timestamp,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::UploadOffset, Expr::col(Column::Length))
        .col_expr(Column::ExpiresAt, Expr::val(expires_at))
        .filter(Column::Upload.eq(upload))
        .exec(tx)
        .await?;
    Ok(())
}

/// Removes a resumable upload.
pub async fn remove(tx: &impl ConnectionTrait, uid: ResumableId) -> Result<(), DbErr> {
    Entity::delete_by_id(uid).exec(tx).await?;
    Ok(())
}

/// Returns those that expired before `before`, with the state that the storage needs to remove their bytes.
pub async fn expired(
    conn: &impl ConnectionTrait,
    before: Timestamp,
) -> Result<Vec<(ResumableId, Option<Progress>)>, DbErr> {
    let rows = Entity::find()
        .filter(Column::ExpiresAt.lt(before))
        .order_by_asc(Column::ExpiresAt)
        .limit(500)
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|row| (row.uid, Progress::parse(&row.progress))).collect())
}

/// Returns whether any expired before `before`.
pub async fn any_expired(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(Column::ExpiresAt.lt(before)).exists(conn).await
}

/// Returns the ids of all resumable uploads.
pub async fn uids(conn: &impl ConnectionTrait) -> Result<HashSet<ResumableId>, DbErr> {
    let uids: Vec<ResumableId> =
        Entity::find().select_only().column(Column::Uid).into_tuple().all(conn).await?;
    Ok(uids.into_iter().collect())
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
