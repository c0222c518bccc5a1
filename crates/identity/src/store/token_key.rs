//! The signing key.

use kernel::{Millis, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, QueryOrder};

use crate::entity::token_key::{ActiveModel, Column, Entity};

/// The oldest stored key, or this one if there is none.
pub async fn first_or_insert(
    tx: &impl ConnectionTrait,
    uid: Uid,
    sealed: &[u8],
    now: Millis,
) -> Result<(Uid, Vec<u8>), DbErr> {
    if let Some(row) = Entity::find().order_by_asc(Column::Uid).one(tx).await? {
        return Ok((row.uid, row.sealed));
    }
    let row = ActiveModel { uid: Set(uid), sealed: Set(sealed.to_vec()), created_at: Set(now) };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok((uid, sealed.to_vec()))
}
