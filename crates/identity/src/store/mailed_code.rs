//! Codes sent by mail.

use kernel::{Email, Millis, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QueryTrait};

use crate::codes::Purpose;
use crate::entity::mailed_code::{ActiveModel, Column, Entity, Model};

/// A code that is about to be sent.
pub struct NewCode<'a> {
    pub uid: Uid,
    pub purpose: Purpose,
    pub email: &'a Email,
    /// Where the letter ends up; letters are counted by it.
    pub mailbox: &'a str,
    pub hash: &'a [u8],
    pub now: Millis,
    pub expires_at: Millis,
}

/// Keeps the hash of a new code.
pub async fn insert(tx: &impl ConnectionTrait, code: NewCode<'_>) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(code.uid),
        kind: Set(code.purpose.as_str().to_owned()),
        email: Set(code.email.as_str().to_owned()),
        mailbox: Set(code.mailbox.to_owned()),
        code_hash: Set(code.hash.to_vec()),
        created_at: Set(code.now),
        expires_at: Set(code.expires_at),
        used_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Times of the codes of this purpose sent to a mailbox since `since`, or to one of its addresses only, newest first.
pub async fn sent_since(
    tx: &impl ConnectionTrait,
    purpose: Purpose,
    mailbox: &str,
    only: Option<&Email>,
    since: Millis,
) -> Result<Vec<Millis>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Mailbox.eq(mailbox))
        .apply_if(only, |query, email| query.filter(Column::Email.eq(email.as_str())))
        .filter(Column::Kind.eq(purpose.as_str()))
        .filter(Column::CreatedAt.gt(since))
        .order_by_desc(Column::CreatedAt)
        .all(tx)
        .await?;
    Ok(rows.into_iter().map(|row| row.created_at).collect())
}

/// The row of a code that still holds.
pub async fn living(
    conn: &impl ConnectionTrait,
    purpose: Purpose,
    hash: &[u8],
    now: Millis,
) -> Result<Option<Model>, DbErr> {
    Entity::find()
        .filter(Column::CodeHash.eq(hash.to_vec()))
        .filter(Column::Kind.eq(purpose.as_str()))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .one(conn)
        .await
}

/// Uses a code up: true for exactly one call with the right address and code, in time.
pub async fn use_up(
    tx: &impl ConnectionTrait,
    purpose: Purpose,
    email: &str,
    hash: &[u8],
    now: Millis,
) -> Result<bool, DbErr> {
    let used = Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(Some(now)))
        .filter(Column::CodeHash.eq(hash.to_vec()))
        .filter(Column::Kind.eq(purpose.as_str()))
        .filter(Column::Email.eq(email))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .exec(tx)
        .await?;
    Ok(used.rows_affected == 1)
}

/// Kills every code of this purpose that is still on its way to an address.
pub async fn kill(
    tx: &impl ConnectionTrait,
    purpose: Purpose,
    email: &str,
    now: Millis,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(Some(now)))
        .filter(Column::Email.eq(email))
        .filter(Column::Kind.eq(purpose.as_str()))
        .filter(Column::UsedAt.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

/// Removes codes that ended before `before`; returns how many.
pub async fn prune(tx: &impl ConnectionTrait, before: Millis) -> Result<u64, DbErr> {
    Ok(Entity::delete_many().filter(Column::ExpiresAt.lt(before)).exec(tx).await?.rows_affected)
}
