//! The key that signs access tokens.

use kernel::{Timestamp, TokenKeyId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, QueryOrder};

use crate::entity::token_key::{ActiveModel, Column, Entity};

/// Returns the oldest stored key, sealed.
pub async fn first(conn: &impl ConnectionTrait) -> Result<Option<Vec<u8>>, DbErr> {
    Ok(Entity::find().order_by_asc(Column::Uid).one(conn).await?.map(|row| row.sealed))
}

/// Returns the oldest stored key. If there is none, stores this one and returns it.
pub async fn first_or_insert(
    tx: &impl ConnectionTrait,
    uid: TokenKeyId,
    sealed: &[u8],
    now: Timestamp,
) -> Result<(TokenKeyId, Vec<u8>), DbErr> {
    if let Some(row) = Entity::find().order_by_asc(Column::Uid).one(tx).await? {
        return Ok((row.uid, row.sealed));
    }
    let row = ActiveModel { uid: Set(uid), sealed: Set(sealed.to_vec()), created_at: Set(now) };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok((uid, sealed.to_vec()))
}
