//! Sessions.

use db::empty_if_none;
use kernel::{PersonId, SessionId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    SelectExt as _,
};

use crate::client_info::ClientInfo;
use crate::entity::session::{ActiveModel, Column, Entity, Model};
use crate::refresh::{App, SESSION_LIFETIME, SpentTimes};

/// Maximum number of sessions listed.
const LISTED_MAX: u64 = 100;

/// Opens a session.
pub async fn insert(
    tx: &impl ConnectionTrait,
    uid: SessionId,
    person: PersonId,
    client: &ClientInfo,
    app: App,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(uid),
        person: Set(person),
        generation: Set(0),
        device: Set(client.user_agent.clone()),
        created_at: Set(now),
        last_seen_at: Set(now),
        expires_at: Set(now + SESSION_LIFETIME),
        ended_at: Set(None),
        spent: Set(None),
        app: Set(app.into()),
        client_address: Set(empty_if_none(client.address.clone())),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Ends all sessions.
pub async fn end_everyones(tx: &impl ConnectionTrait, now: Timestamp) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(Some(now)))
        .filter(Column::EndedAt.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

/// Returns whether the session belongs to this person and has not ended.
pub async fn is_active(
    conn: &impl ConnectionTrait,
    uid: SessionId,
    person: PersonId,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let row = Entity::find_by_id(uid)
        .select_only()
        .column(Column::Uid)
        .filter(Column::Person.eq(person))
        .filter(Column::EndedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .into_tuple::<SessionId>()
        .one(conn)
        .await?;
    Ok(row.is_some())
}

/// Returns the session's row, unless it has ended.
pub async fn by_uid(
    tx: &impl ConnectionTrait,
    uid: SessionId,
    now: Timestamp,
) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(uid).filter(Column::EndedAt.is_null()).filter(Column::ExpiresAt.gt(now)).one(tx).await
}

/// Parses the times at which the session's last refresh tokens were spent. There are none until its first
/// refresh.
pub fn spent_times(session: SessionId, stored: Option<serde_json::Value>) -> Result<SpentTimes, DbErr> {
    match stored {
        Some(times) => serde_json::from_value(times).map_err(|_| db::unreadable("session", "spent", session)),
        None => Ok(SpentTimes::default()),
    }
}

/// Moves the session to its next generation; `spent` holds the times of the generations before.
pub async fn rotate(
    tx: &impl ConnectionTrait,
    uid: SessionId,
    from: i32,
    spent: &SpentTimes,
    client_address: Option<&str>,
    now: Timestamp,
) -> Result<(), DbErr> {
    let spent = serde_json::to_value(spent).map_err(|error| DbErr::Json(error.to_string()))?;
    Entity::update_many()
        .col_expr(Column::Generation, Expr::value(from + 1))
        .col_expr(Column::Spent, Expr::value(Some(spent)))
        .col_expr(Column::LastSeenAt, Expr::value(now))
        .col_expr(Column::ClientAddress, Expr::value(client_address.unwrap_or_default()))
        .col_expr(Column::ExpiresAt, Expr::value(now + SESSION_LIFETIME))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Generation.eq(from))
        .exec(tx)
        .await?;
    Ok(())
}

/// Returns the sessions of a person that have not ended, most recently used first.
pub async fn active(
    conn: &impl ConnectionTrait,
    person: PersonId,
    now: Timestamp,
) -> Result<Vec<Model>, DbErr> {
    Entity::find()
        .filter(Column::Person.eq(person))
        .filter(Column::EndedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .order_by_desc(Column::LastSeenAt)
        .order_by_desc(Column::Uid)
        .limit(LISTED_MAX)
        .all(conn)
        .await
}

/// Ends a session of this person. Returns false if there is none or it has ended.
pub async fn end_own(
    tx: &impl ConnectionTrait,
    uid: SessionId,
    person: PersonId,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let ended = Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(Some(now)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Person.eq(person))
        .filter(Column::EndedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .exec(tx)
        .await?;
    Ok(ended.rows_affected == 1)
}

/// Deletes sessions that ended or expired before `before`. Returns how many.
pub async fn prune(db: &db::Db, before: Timestamp) -> Result<u64, DbErr> {
    db::remove_in_pages::<Entity>(db, Column::Uid, ended(before)).await
}

/// Returns whether [`prune`] would delete anything.
pub async fn any_expired(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(ended(before)).exists(conn).await
}

fn ended(before: Timestamp) -> Condition {
    Condition::any().add(Column::EndedAt.lt(before)).add(Column::ExpiresAt.lt(before))
}

/// Ends a session without checking its person.
pub async fn end(tx: &impl ConnectionTrait, uid: SessionId, now: Timestamp) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(Some(now)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::EndedAt.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

/// Ends all sessions of a person. Returns how many, with expired ones.
pub async fn end_all(tx: &impl ConnectionTrait, person: PersonId, now: Timestamp) -> Result<u64, DbErr> {
    let ended = Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(Some(now)))
        .filter(Column::Person.eq(person))
        .filter(Column::EndedAt.is_null())
        .exec(tx)
        .await?;
    Ok(ended.rows_affected)
}

/// Removes all sessions of a person.
pub async fn remove_all(tx: &impl ConnectionTrait, person: PersonId) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Person.eq(person)).exec(tx).await.map(drop)
}
