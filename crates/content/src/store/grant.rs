//! Renewed playback addresses.

use kernel::{ContentId, GrantId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, SelectExt as _};

use crate::entity::content_grant::{ActiveModel, Column, Entity};

/// Extends a grant until `expires_at`.
pub async fn renew(
    tx: &impl ConnectionTrait,
    uid: GrantId,
    content: ContentId,
    expires_at: Timestamp,
) -> Result<(), DbErr> {
    let row = ActiveModel { uid: Set(uid), content: Set(content), expires_at: Set(expires_at) };
    Entity::insert(row)
        .on_conflict(OnConflict::column(Column::Uid).update_column(Column::ExpiresAt).to_owned())
        .exec_without_returning(tx)
        .await?;
    Ok(())
}

/// Removes grants that expired before `before`.
pub async fn prune(db: &db::Db, before: Timestamp) -> Result<(), DbErr> {
    db::remove_in_pages::<Entity>(db, Column::Uid, Column::ExpiresAt.lt(before)).await.map(drop)
}

/// Returns whether any grant expired before `before`.
pub async fn any_expired(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(Column::ExpiresAt.lt(before)).exists(conn).await
}

/// Removes the grants of an item that is removed permanently.
pub async fn remove_of(tx: &impl ConnectionTrait, content: ContentId) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Content.eq(content)).exec(tx).await?;
    Ok(())
}
