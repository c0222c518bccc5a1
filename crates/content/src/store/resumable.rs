//! Uploads that come in several requests. The signed address is the proof, so none of these asks for whom.

use std::collections::HashSet;

use kernel::{Millis, Uid};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder as _, QuerySelect,
};
use storage::Progress;

use crate::entity::resumable::{Column, Entity, Model};

/// How far such an upload is.
#[derive(Clone, Debug)]
pub struct Resumable {
    pub uid: Uid,
    /// The upload it is the way of.
    pub upload: Uid,
    /// Bytes that are safe; all of them only once the upload is available.
    pub arrived: u64,
    /// Bytes of the whole.
    pub length: u64,
    /// What the sender said besides.
    pub metadata: String,
    pub expires_at: Millis,
}

/// Adds one of which nothing has come.
pub async fn insert(
    tx: &impl ConnectionTrait,
    new: &Resumable,
    progress: &Progress,
    now: Millis,
) -> Result<(), DbErr> {
    let row = Model {
        uid: new.uid,
        upload: new.upload,
        arrived: signed(new.arrived),
        length: signed(new.length),
        progress: progress.to_text(),
        metadata: new.metadata.clone(),
        created_at: now,
        expires_at: new.expires_at,
    };
    Entity::insert(row.into_active_model().reset_all()).exec_without_returning(tx).await?;
    Ok(())
}

/// The one with this id, without its progress: asked for often.
pub async fn by_uid(conn: &impl ConnectionTrait, uid: Uid) -> Result<Option<Resumable>, DbErr> {
    let row: Option<(Uid, i64, i64, String, Millis)> = Entity::find_by_id(uid)
        .select_only()
        .columns([Column::Upload, Column::Arrived, Column::Length, Column::Metadata, Column::ExpiresAt])
        .into_tuple()
        .one(conn)
        .await?;
    Ok(row.map(|(upload, arrived, length, metadata, expires_at)| Resumable {
        uid,
        upload,
        arrived: arrived.cast_unsigned(),
        length: length.cast_unsigned(),
        metadata,
        expires_at,
    }))
}

/// The storage's words about one.
pub async fn progress(conn: &impl ConnectionTrait, uid: Uid) -> Result<Option<Progress>, DbErr> {
    let text: Option<String> =
        Entity::find_by_id(uid).select_only().column(Column::Progress).into_tuple().one(conn).await?;
    Ok(text.and_then(|text| Progress::read(&text)))
}

/// The way of an upload so far, if it has one.
pub async fn of_upload(
    conn: &impl ConnectionTrait,
    upload: Uid,
) -> Result<Option<(Uid, Option<Progress>)>, DbErr> {
    let row = Entity::find().filter(Column::Upload.eq(upload)).one(conn).await?;
    Ok(row.map(|row| (row.uid, Progress::read(&row.progress))))
}

/// Writes down that more is safe; false when somebody else did meanwhile.
pub async fn advance(
    tx: &impl ConnectionTrait,
    resumable: &Resumable,
    progress: &Progress,
    expires_at: Millis,
) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::Arrived, Expr::val(signed(progress.offset())))
        .col_expr(Column::Progress, Expr::val(progress.to_text()))
        .col_expr(Column::ExpiresAt, Expr::val(expires_at))
        .filter(Column::Uid.eq(resumable.uid))
        .filter(Column::Arrived.eq(signed(resumable.arrived)))
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Writes down that all of an upload has come, whichever way.
pub async fn complete(tx: &impl ConnectionTrait, upload: Uid, expires_at: Millis) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Arrived, Expr::col(Column::Length))
        .col_expr(Column::ExpiresAt, Expr::val(expires_at))
        .filter(Column::Upload.eq(upload))
        .exec(tx)
        .await?;
    Ok(())
}

/// Removes one.
pub async fn remove(tx: &impl ConnectionTrait, uid: Uid) -> Result<(), DbErr> {
    Entity::delete_by_id(uid).exec(tx).await?;
    Ok(())
}

/// Those whose time was over before `before`, with what the storage needs to clear up after them.
pub async fn expired(
    conn: &impl ConnectionTrait,
    before: Millis,
) -> Result<Vec<(Uid, Option<Progress>)>, DbErr> {
    let rows = Entity::find()
        .filter(Column::ExpiresAt.lt(before))
        .order_by_asc(Column::ExpiresAt)
        .limit(500)
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|row| (row.uid, Progress::read(&row.progress))).collect())
}

/// The ids of all there are.
pub async fn uids(conn: &impl ConnectionTrait) -> Result<HashSet<Uid>, DbErr> {
    let uids: Vec<Uid> = Entity::find().select_only().column(Column::Uid).into_tuple().all(conn).await?;
    Ok(uids.into_iter().collect())
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
