//! Magic links.

use kernel::{Email, Millis, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};

use crate::entity::magic_link::{ActiveModel, Column, Entity};

/// Keeps the hash of a new link's code.
pub async fn insert(
    tx: &impl ConnectionTrait,
    uid: Uid,
    email: &Email,
    code_hash: &[u8],
    now: Millis,
    expires_at: Millis,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(uid),
        email: Set(email.as_str().to_owned()),
        code_hash: Set(code_hash.to_vec()),
        created_at: Set(now),
        expires_at: Set(expires_at),
        used_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Times of the links sent to an address since `since`, newest first.
pub async fn sent_since(
    tx: &impl ConnectionTrait,
    email: &Email,
    since: Millis,
) -> Result<Vec<Millis>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Email.eq(email.as_str()))
        .filter(Column::CreatedAt.gt(since))
        .order_by_desc(Column::CreatedAt)
        .all(tx)
        .await?;
    Ok(rows.into_iter().map(|row| row.created_at).collect())
}

/// Uses a link up: true for exactly one call with the right address and code, in time.
pub async fn use_up(
    tx: &impl ConnectionTrait,
    email: &Email,
    code_hash: &[u8],
    now: Millis,
) -> Result<bool, DbErr> {
    let used = Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(Some(now)))
        .filter(Column::CodeHash.eq(code_hash.to_vec()))
        .filter(Column::Email.eq(email.as_str()))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .exec(tx)
        .await?;
    Ok(used.rows_affected == 1)
}
