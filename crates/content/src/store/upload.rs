//! Uploads.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::{ContentId, HOUR, OrgId, PersonId, Timestamp, UploadId};
use sea_orm::sea_query::{Expr, ExprTrait as _, SimpleExpr};
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder as _, QuerySelect, SelectExt as _,
};

use crate::entity::upload::{Column, Entity, Model};
use crate::model::{AnnouncedFile, UploadStatus, checksum};
use crate::reject_reason::RejectReason;

/// A file that is pending, available or rejected.
#[derive(Clone, Debug)]
pub struct Upload {
    pub uid: UploadId,
    pub org: Option<OrgId>,
    pub person: PersonId,
    pub target: Target,
    pub file: AnnouncedFile,
    pub status: UploadStatus,
    pub reason: Option<RejectReason>,
    pub expires_at: Timestamp,
}

/// A file that was received completely.
#[derive(Clone, Copy, Debug)]
pub struct ReceivedFile {
    /// Number of bytes.
    pub size: u64,
    pub md5: [u8; 16],
    pub sha256: [u8; 32],
    /// The type detected from its first bytes.
    pub media_type: &'static str,
}

/// How much of a file was received.
#[derive(Clone, Copy, Debug)]
pub enum ReceivedBytes {
    /// Not known, or nothing.
    Unknown,
    /// Only this many bytes.
    Incomplete(u64),
    /// The whole file.
    Complete(ReceivedFile),
}

/// What an upload is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The file of a content item.
    Content(ContentId),
    /// A public image with this name.
    Image(String),
}

impl Upload {
    /// Creates a pending upload that must begin within an hour.
    pub fn pending(
        uid: UploadId,
        org: Option<OrgId>,
        person: PersonId,
        target: Target,
        file: AnnouncedFile,
        now: Timestamp,
    ) -> Self {
        let (status, expires_at) = (UploadStatus::Pending, now + HOUR);
        Self { uid, org, person, target, file, status, reason: None, expires_at }
    }

    fn read(row: Model) -> Result<Self, DbErr> {
        let unreadable = |column| db::unreadable("upload", column, row.uid);
        let target = match (row.content, row.image) {
            (Some(content), None) => Target::Content(content),
            (None, Some(name)) => Target::Image(name),
            _ => return Err(unreadable("content")),
        };
        Ok(Self {
            uid: row.uid,
            org: row.org,
            person: row.person,
            target,
            file: AnnouncedFile {
                name: row.file_name,
                size: row
                    .file_size
                    .map(|size| size.try_into().map_err(|_| unreadable("file_size")))
                    .transpose()?,
                mime: row.file_type,
                modified: row.file_modified,
                md5: checksum(&row.file_checksum).map_err(|_| unreadable("file_checksum"))?,
            },
            status: row.status.known("upload", "status", row.uid)?,
            reason: row.reason.map(|reason| reason.known("upload", "reason", row.uid)).transpose()?,
            expires_at: row.expires_at,
        })
    }
}

/// Inserts a pending upload.
pub async fn insert(tx: &impl ConnectionTrait, upload: &Upload, now: Timestamp) -> Result<(), DbErr> {
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
        file_size: upload.file.size.map(signed),
        file_type: upload.file.mime.clone(),
        file_modified: upload.file.modified,
        file_checksum: upload.file.checksum(),
        status: upload.status.into(),
        reason: None,
        created_at: now,
        expires_at: upload.expires_at,
        finished_at: None,
        received_size: None,
        received_md5: None,
        received_sha256: None,
        received_type: None,
    };
    Entity::insert(row.into_active_model().reset_all()).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns the upload with this id in any organisation, because the ingest address is a credential by itself.
pub async fn by_uid(conn: &impl ConnectionTrait, uid: UploadId) -> Result<Option<Upload>, DbErr> {
    Entity::find_by_id(uid).one(conn).await?.map(Upload::read).transpose()
}

/// An upload and what was received of it.
pub struct Record {
    pub upload: Upload,
    /// `None` for a pending upload, and for one that ended before this was recorded.
    pub received: Option<ReceivedRecord>,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// The recorded facts about a received file.
pub struct ReceivedRecord {
    pub size: u64,
    /// In base64.
    pub md5: Option<String>,
    pub sha256: Option<Vec<u8>>,
    pub media_type: Option<String>,
}

/// Returns the latest uploads of an item, newest first.
pub async fn of_content(conn: &impl ConnectionTrait, content: ContentId) -> Result<Vec<Record>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Content.eq(content))
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Uid)
        .limit(50)
        .all(conn)
        .await?;
    rows.into_iter().map(Record::read).collect()
}

impl Record {
    fn read(mut row: Model) -> Result<Self, DbErr> {
        let (created_at, finished_at) = (row.created_at, row.finished_at);
        let received = row.received_size.map(|size| ReceivedRecord {
            size: size.cast_unsigned(),
            md5: row.received_md5.take(),
            sha256: row.received_sha256.take(),
            media_type: row.received_type.take(),
        });
        Ok(Self { upload: Upload::read(row)?, received, created_at, finished_at })
    }
}

/// Ends an upload as available. Returns false if it had ended already.
pub async fn set_available(
    tx: &impl ConnectionTrait,
    uid: UploadId,
    received: ReceivedFile,
    now: Timestamp,
) -> Result<bool, DbErr> {
    finish(tx, uid, UploadStatus::Available, None, ReceivedBytes::Complete(received), now).await
}

/// Ends an upload as rejected. Returns false if it had ended already.
pub async fn reject(
    tx: &impl ConnectionTrait,
    uid: UploadId,
    reason: RejectReason,
    received: ReceivedBytes,
    now: Timestamp,
) -> Result<bool, DbErr> {
    finish(tx, uid, UploadStatus::Rejected, Some(reason), received, now).await
}

async fn finish(
    tx: &impl ConnectionTrait,
    uid: UploadId,
    status: UploadStatus,
    reason: Option<RejectReason>,
    received: ReceivedBytes,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let (size, file) = match received {
        ReceivedBytes::Unknown | ReceivedBytes::Incomplete(0) => (None, None),
        ReceivedBytes::Incomplete(size) => (Some(size), None),
        ReceivedBytes::Complete(file) => (Some(file.size), Some(file)),
    };
    let done = Entity::update_many()
        .col_expr(Column::ReceivedSize, Expr::val(size.map(signed)))
        .col_expr(Column::ReceivedMd5, Expr::val(file.map(|file| STANDARD.encode(file.md5))))
        .col_expr(Column::ReceivedSha256, Expr::val(file.map(|file| file.sha256.to_vec())))
        .col_expr(Column::ReceivedType, Expr::val(file.map(|file| file.media_type.to_owned())))
        .col_expr(Column::Status, Expr::val(status))
        .col_expr(Column::Reason, Expr::val(reason))
        .col_expr(Column::FinishedAt, Expr::val(Some(now)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Status.eq(UploadStatus::Pending))
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Rejects the pending uploads of an item and returns their ids.
pub async fn reject_pending(
    tx: &impl ConnectionTrait,
    content: ContentId,
    reason: RejectReason,
    now: Timestamp,
) -> Result<Vec<UploadId>, DbErr> {
    let pending = Column::Content.eq(content).and(Column::Status.eq(UploadStatus::Pending));
    let uids: Vec<UploadId> =
        Entity::find().select_only().column(Column::Uid).filter(pending.clone()).into_tuple().all(tx).await?;
    Entity::update_many()
        .col_expr(Column::Status, Expr::val(UploadStatus::Rejected))
        .col_expr(Column::Reason, Expr::val(Some(reason)))
        .col_expr(Column::FinishedAt, Expr::val(Some(now)))
        .filter(pending)
        .filter(Column::Uid.is_in(uids.iter().copied()))
        .exec(tx)
        .await?;
    Ok(uids)
}

/// Extends a pending upload. Returns false if it has ended.
pub async fn extend(tx: &impl ConnectionTrait, uid: UploadId, expires_at: Timestamp) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::ExpiresAt, Expr::val(expires_at))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Status.eq(UploadStatus::Pending))
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Sets the size of a file that was announced without one.
pub async fn set_size(tx: &impl ConnectionTrait, uid: UploadId, size: u64) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::FileSize, Expr::val(Some(signed(size))))
        .filter(Column::Uid.eq(uid))
        .exec(tx)
        .await?;
    Ok(())
}

/// Returns whether the item has a pending upload.
pub async fn has_pending(
    tx: &impl ConnectionTrait,
    content: ContentId,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let found = Entity::find()
        .filter(Column::Content.eq(content))
        .filter(Column::Status.eq(UploadStatus::Pending))
        .filter(Column::ExpiresAt.gt(now))
        .one(tx)
        .await?;
    Ok(found.is_some())
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Returns how many images this person announced after `since`, and the time of the first.
pub async fn images_since(
    tx: &impl ConnectionTrait,
    person: PersonId,
    since: Timestamp,
) -> Result<(u64, Option<Timestamp>), DbErr> {
    let row: Option<(i64, Option<Timestamp>)> = Entity::find()
        .select_only()
        .column_as(Column::Uid.count(), "images")
        .column_as(Column::CreatedAt.min(), "first")
        .filter(Column::Person.eq(person))
        .filter(Column::CreatedAt.gt(since))
        .filter(Column::Image.is_not_null())
        .into_tuple()
        .one(tx)
        .await?;
    Ok(row.map_or((0, None), |(count, first)| (u64::try_from(count).unwrap_or(0), first)))
}

/// Removes the uploads of an item.
pub async fn remove_of(tx: &impl ConnectionTrait, content: ContentId) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Content.eq(content)).exec(tx).await?;
    Ok(())
}

/// Removes uploads that expired before `before`. The record of an item's file is kept as long as the item.
pub async fn prune(db: &db::Db, before: Timestamp) -> Result<u64, DbErr> {
    db::remove_in_pages::<Entity>(db, Column::Uid, prunable(before)).await
}

/// Returns whether [`prune`] would remove anything.
pub async fn any_prunable(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(prunable(before)).exists(conn).await
}

fn prunable(before: Timestamp) -> SimpleExpr {
    let of_content = Column::Content.is_not_null().and(Column::Status.eq(UploadStatus::Available));
    Column::ExpiresAt.lt(before).and(of_content.not())
}

/// Replaces the person who uploaded.
pub async fn hand_over(tx: &impl ConnectionTrait, person: PersonId, stand_in: PersonId) -> Result<(), DbErr> {
    let update = Entity::update_many().col_expr(Column::Person, Expr::value(stand_in));
    update.filter(Column::Person.eq(person)).exec(tx).await.map(drop)
}
