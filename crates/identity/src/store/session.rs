//! Sessions.

use kernel::{Millis, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};

use crate::entity::session::{ActiveModel, Column, Entity, Model};
use crate::refresh::{SESSION_LIFE, Spent};

/// Opens a session.
pub async fn insert(
    tx: &impl ConnectionTrait,
    uid: Uid,
    person: Uid,
    device: &str,
    now: Millis,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(uid),
        person: Set(person),
        generation: Set(0),
        device: Set(device.to_owned()),
        created_at: Set(now),
        last_seen_at: Set(now),
        expires_at: Set(now + SESSION_LIFE),
        ended_at: Set(None),
        spent: Set(None),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Whether the session is this person's and has not ended.
pub async fn lives(conn: &impl ConnectionTrait, uid: Uid, person: Uid, now: Millis) -> Result<bool, DbErr> {
    let row = Entity::find_by_id(uid)
        .select_only()
        .column(Column::Uid)
        .filter(Column::Person.eq(person))
        .filter(Column::EndedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .into_tuple::<Uid>()
        .one(conn)
        .await?;
    Ok(row.is_some())
}

/// The session's row while it lives.
pub async fn by_uid(tx: &impl ConnectionTrait, uid: Uid, now: Millis) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(uid).filter(Column::EndedAt.is_null()).filter(Column::ExpiresAt.gt(now)).one(tx).await
}

/// Moves the session to its next generation; `spent` is what is remembered of those before it.
pub async fn rotate(
    tx: &impl ConnectionTrait,
    uid: Uid,
    from: i32,
    spent: &Spent,
    now: Millis,
) -> Result<(), DbErr> {
    let spent = serde_json::to_value(spent).map_err(|error| DbErr::Json(error.to_string()))?;
    Entity::update_many()
        .col_expr(Column::Generation, Expr::value(from + 1))
        .col_expr(Column::Spent, Expr::value(Some(spent)))
        .col_expr(Column::LastSeenAt, Expr::value(now))
        .col_expr(Column::ExpiresAt, Expr::value(now + SESSION_LIFE))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Generation.eq(from))
        .exec(tx)
        .await?;
    Ok(())
}

/// Ends one session.
pub async fn end(tx: &impl ConnectionTrait, uid: Uid, now: Millis) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(Some(now)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::EndedAt.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

/// Ends every session of a person.
pub async fn end_all(tx: &impl ConnectionTrait, person: Uid, now: Millis) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(Some(now)))
        .filter(Column::Person.eq(person))
        .filter(Column::EndedAt.is_null())
        .exec(tx)
        .await?;
    Ok(())
}
