//! Records of stored objects, and how much of them is charged to the plan.

use std::collections::HashMap;

use kernel::{ContentId, OrgId, Timestamp, UploadId};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _, OnConflict, SelectStatement, SimpleExpr};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder as _, QuerySelect,
    QueryTrait as _, SelectExt as _,
};
use storage::Key;

pub use crate::entity::stored_object::ObjectKind;
use crate::entity::stored_object::{ActiveModel, Column, Entity, Model};
use crate::entity::upload;
use crate::model::UploadStatus;

/// The record of an object in the object store, or of a folder of them.
#[derive(Clone, Debug)]
pub struct StoredObject {
    /// Storage key; for renditions, the folder they are in.
    pub path: String,
    pub org: Option<OrgId>,
    pub content: Option<ContentId>,
    /// The upload that created it.
    pub upload: Option<UploadId>,
    pub kind: ObjectKind,
    pub bytes: u64,
}

/// Records an object that no row refers to yet, replacing an earlier record.
pub async fn record(tx: &impl ConnectionTrait, object: StoredObject, now: Timestamp) -> Result<(), DbErr> {
    insert(tx, object, Some(now)).await
}

/// Records an object that a row refers to.
pub async fn record_referenced(tx: &impl ConnectionTrait, object: StoredObject) -> Result<(), DbErr> {
    insert(tx, object, None).await
}

async fn insert(
    tx: &impl ConnectionTrait,
    object: StoredObject,
    unreferenced_at: Option<Timestamp>,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        path: Set(object.path),
        org: Set(object.org),
        content: Set(object.content),
        upload: Set(object.upload),
        kind: Set(object.kind.into()),
        bytes: Set(i64::try_from(object.bytes).unwrap_or(i64::MAX)),
        unreferenced_at: Set(unreferenced_at),
    };
    Entity::insert(row)
        .on_conflict(
            OnConflict::column(Column::Path)
                .update_columns([Column::Bytes, Column::UnreferencedAt])
                .to_owned(),
        )
        .exec_without_returning(tx)
        .await?;
    Ok(())
}

/// Records that a row refers to an object.
pub async fn set_referenced(tx: &impl ConnectionTrait, path: &str) -> Result<(), DbErr> {
    set_unreferenced_at(tx, Column::Path.eq(path), None).await
}

/// Records that a row refers to these objects.
pub async fn set_all_referenced(tx: &impl ConnectionTrait, keys: &[Key]) -> Result<(), DbErr> {
    set_unreferenced_at(tx, among(keys), None).await
}

/// Records that no row refers to these objects any more.
pub async fn set_all_unreferenced(
    tx: &impl ConnectionTrait,
    keys: &[Key],
    now: Timestamp,
) -> Result<(), DbErr> {
    set_unreferenced_at(tx, among(keys), Some(now)).await
}

/// Records that no row refers to an object any more.
pub async fn set_unreferenced(tx: &impl ConnectionTrait, path: &str, now: Timestamp) -> Result<(), DbErr> {
    set_unreferenced_at(tx, Column::Path.eq(path), Some(now)).await
}

fn among(keys: &[Key]) -> SimpleExpr {
    Column::Path.is_in(keys.iter().map(Key::as_str))
}

async fn set_unreferenced_at(
    tx: &impl ConnectionTrait,
    objects: SimpleExpr,
    at: Option<Timestamp>,
) -> Result<(), DbErr> {
    Entity::update_many().col_expr(Column::UnreferencedAt, Expr::val(at)).filter(objects).exec(tx).await?;
    Ok(())
}

/// Removes the record of a removed object.
pub async fn remove(tx: &impl ConnectionTrait, path: &str) -> Result<(), DbErr> {
    Entity::delete_by_id(path).exec(tx).await?;
    Ok(())
}

/// Removes the records of removed objects.
pub async fn remove_all(tx: &impl ConnectionTrait, keys: &[Key]) -> Result<(), DbErr> {
    Entity::delete_many().filter(among(keys)).exec(tx).await?;
    Ok(())
}

/// Removes the records of everything in the folder of an item.
pub async fn remove_of(tx: &impl ConnectionTrait, content: ContentId) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::Content.eq(content))
        .filter(Column::Kind.ne(ObjectKind::Staged))
        .exec(tx)
        .await?;
    Ok(())
}

/// What is recorded of a stored file.
#[derive(Clone, Copy, Debug)]
pub struct FileRecord {
    pub bytes: u64,
    /// Whether a row refers to it.
    pub is_referenced: bool,
}

/// Returns the records of the files of these items, by path.
pub async fn sources_of(
    conn: &impl ConnectionTrait,
    contents: &[ContentId],
) -> Result<HashMap<String, FileRecord>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Content.is_in(contents.iter().copied()))
        .filter(Column::Kind.eq(ObjectKind::Source))
        .all(conn)
        .await?;
    let record = |row: Model| {
        let is_referenced = row.unreferenced_at.is_none();
        (row.path, FileRecord { bytes: row.bytes.cast_unsigned(), is_referenced })
    };
    Ok(rows.into_iter().map(record).collect())
}

/// Returns the keys of all posters of an item, of all versions and widths.
pub async fn posters_of(conn: &impl ConnectionTrait, content: ContentId) -> Result<Vec<Key>, DbErr> {
    let paths: Vec<String> = Entity::find()
        .select_only()
        .column(Column::Path)
        .filter(Column::Content.eq(content))
        .filter(Column::Kind.eq(ObjectKind::Poster))
        .into_tuple()
        .all(conn)
        .await?;
    Ok(paths.iter().filter_map(|path| Key::parse(path)).collect())
}

/// Returns objects that no row has referred to since `before`, oldest first.
pub async fn unreferenced(
    conn: &impl ConnectionTrait,
    before: Timestamp,
) -> Result<Vec<StoredObject>, DbErr> {
    let rows = Entity::find()
        .filter(Column::UnreferencedAt.lt(before))
        .order_by_asc(Column::UnreferencedAt)
        .limit(500)
        .all(conn)
        .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Returns whether there is an object that no row has referred to since `before`.
pub async fn any_unreferenced(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(Column::UnreferencedAt.lt(before)).exists(conn).await
}

/// Returns whether no row has referred to an object since `before`.
pub async fn is_unreferenced(
    tx: &impl ConnectionTrait,
    path: &str,
    before: Timestamp,
) -> Result<bool, DbErr> {
    let row = Entity::find_by_id(path).filter(Column::UnreferencedAt.lt(before)).one(tx).await?;
    Ok(row.is_some())
}

impl TryFrom<Model> for StoredObject {
    type Error = DbErr;

    fn try_from(row: Model) -> Result<Self, DbErr> {
        let Model { path, org, content, upload, kind, bytes, .. } = row;
        let kind = kind.known("stored_object", "kind", &path)?;
        Ok(Self { path, org, content, upload, kind, bytes: bytes.cast_unsigned() })
    }
}

/// Returns the bytes charged to the organisation's plan: uploaded files, including replaced and deleted ones
/// until they are removed, the received parts of unfinished uploads, and the space reserved for pending ones.
pub async fn charged(conn: &impl ConnectionTrait, org: OrgId, now: Timestamp) -> Result<u64, DbErr> {
    // What was received of a pending upload is part of its reservation.
    let free = Column::UnreferencedAt.is_null().or(Column::Upload.is_null());
    let reserved = Column::Upload.in_subquery(pending_uploads(org, now));
    let there = Entity::find()
        .select_only()
        .column_as(Column::Bytes.sum().cast_as("BIGINT"), "bytes")
        .filter(Column::Org.eq(org))
        .filter(Column::Kind.is_in([ObjectKind::Source, ObjectKind::Staged]))
        .filter(free.or(reserved.not()))
        .into_tuple()
        .one(conn)
        .await?;
    let expected = upload::Entity::find()
        .select_only()
        .column_as(upload::Column::FileSize.sum().cast_as("BIGINT"), "bytes")
        .filter(upload::Column::Uid.in_subquery(pending_uploads(org, now)))
        .into_tuple()
        .one(conn)
        .await?;
    Ok(bytes("stored_object", org, there)? + bytes("upload", org, expected)?)
}

/// Returns the bytes of everything the organisation stores.
pub async fn stored(conn: &impl ConnectionTrait, org: OrgId) -> Result<u64, DbErr> {
    let sum = Entity::find()
        .select_only()
        .column_as(Column::Bytes.sum().cast_as("BIGINT"), "bytes")
        .filter(Column::Org.eq(org))
        .into_tuple()
        .one(conn)
        .await?;
    bytes("stored_object", org, sum)
}

/// Builds a query for the ids of the organisation's pending uploads of content.
fn pending_uploads(org: OrgId, now: Timestamp) -> SelectStatement {
    upload::Entity::find()
        .select_only()
        .column(upload::Column::Uid)
        .filter(upload::Column::Org.eq(org))
        .filter(upload::Column::Status.eq(UploadStatus::Pending))
        .filter(upload::Column::ExpiresAt.gt(now))
        .filter(upload::Column::Content.is_not_null())
        .into_query()
}

/// Returns a sum of lengths; that of no rows is 0.
fn bytes(table: &'static str, org: OrgId, sum: Option<Option<i64>>) -> Result<u64, DbErr> {
    let sum = sum.flatten().unwrap_or(0);
    u64::try_from(sum).map_err(|_| db::unreadable(table, "the bytes", org))
}
