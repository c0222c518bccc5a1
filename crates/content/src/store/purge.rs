//! What is removed with an organisation.

use db::Db;
use kernel::{ContentId, OrgId, ResumableId, UploadId};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder as _, QuerySelect,
    QueryTrait as _,
};
use storage::Progress;

use super::object::StoredObject;
use crate::entity::{content, resumable, stored_object, upload};
use crate::model::UploadStatus;

/// Returns pending uploads of an organisation, oldest first, starting after `after`.
pub async fn pending_uploads(
    conn: &impl ConnectionTrait,
    org: OrgId,
    after: UploadId,
    limit: u64,
) -> Result<Vec<UploadId>, DbErr> {
    upload::Entity::find()
        .select_only()
        .column(upload::Column::Uid)
        .filter(upload::Column::Org.eq(org))
        .filter(upload::Column::Status.eq(UploadStatus::Pending))
        .filter(upload::Column::Uid.gt(after))
        .order_by_asc(upload::Column::Uid)
        .limit(limit)
        .into_tuple()
        .all(conn)
        .await
}

/// Returns resumable uploads of an organisation, with the state that the storage needs to remove their bytes.
pub async fn resumables(
    conn: &impl ConnectionTrait,
    org: OrgId,
    limit: u64,
) -> Result<Vec<(ResumableId, Option<Progress>)>, DbErr> {
    let own = upload::Entity::find()
        .select_only()
        .column(upload::Column::Uid)
        .filter(upload::Column::Org.eq(org))
        .into_query();
    let rows = resumable::Entity::find()
        .filter(resumable::Column::Upload.in_subquery(own))
        .order_by_asc(resumable::Column::Uid)
        .limit(limit)
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|row| (row.uid, Progress::parse(&row.progress))).collect())
}

/// Returns items of an organisation, deleted ones included.
pub async fn items(conn: &impl ConnectionTrait, org: OrgId, limit: u64) -> Result<Vec<ContentId>, DbErr> {
    content::Entity::find()
        .select_only()
        .column(content::Column::Uid)
        .filter(content::Column::Org.eq(org))
        .order_by_asc(content::Column::Uid)
        .limit(limit)
        .into_tuple()
        .all(conn)
        .await
}

/// Removes the row of an item.
pub async fn remove_item(tx: &impl ConnectionTrait, org: OrgId, uid: ContentId) -> Result<(), DbErr> {
    content::Entity::delete_by_id(uid).filter(content::Column::Org.eq(org)).exec(tx).await.map(drop)
}

/// Removes the records of an organisation's uploads.
pub async fn remove_uploads(db: &Db, org: OrgId) -> Result<(), DbErr> {
    db::rows::remove_all(db, "upload", "uid", "org", org).await
}

/// Returns objects of an organisation.
pub async fn objects(
    conn: &impl ConnectionTrait,
    org: OrgId,
    limit: u64,
) -> Result<Vec<StoredObject>, DbErr> {
    let rows = stored_object::Entity::find()
        .filter(stored_object::Column::Org.eq(org))
        .limit(limit)
        .all(conn)
        .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}
