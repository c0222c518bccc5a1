//! Counts of wrong passwords and digits. Changes are single statements, so that servers that count at once lose nothing.

use db::{Db, WriteTx};
use kernel::{Millis, Timestamp};
use sea_orm::sea_query::{LockBehavior, LockType};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait as _, QueryFilter, QueryOrder as _,
    QuerySelect, QueryTrait as _, SelectExt as _,
};
use sea_orm::{Statement, Value};

use crate::entity::sign_in_attempt::{Column, Entity, Model};

/// What is counted.
pub type Key = [u8; 16];

/// How a count grows and is forgotten.
#[derive(Clone, Copy, Debug)]
pub enum Growth {
    /// Decreases by one in each `decay`, and is forgotten `reset` after the last try.
    Decaying { decay: Millis, reset: Millis },
    /// Is forgotten `length` after the first try.
    Window { length: Millis },
}

/// Returns the counts with these keys.
pub async fn counts(conn: &impl ConnectionTrait, keys: &[Key]) -> Result<Vec<Model>, DbErr> {
    Entity::find().filter(Column::Uid.is_in(keys.iter().map(|key| key.to_vec()))).all(conn).await
}

/// Adds a wrong try at `now`.
pub async fn add(tx: &WriteTx, key: &Key, growth: Growth, now: Timestamp) -> Result<(), DbErr> {
    // $2 is now, $3 when the row expires, $4 after which time a count begins anew, $5 the time of its decrease by one.
    let (update, reset, decay) = match growth {
        Growth::Decaying { decay, reset } => (
            "tries = CASE WHEN $2 - a.at >= $4 THEN 1 WHEN $2 <= a.at THEN a.tries + 1 \
             WHEN a.tries > ($2 - a.at) / $5 THEN a.tries - ($2 - a.at) / $5 + 1 ELSE 1 END, \
             at = $2, expires_at = $3",
            reset,
            Some(decay),
        ),
        Growth::Window { length } => (
            "tries = CASE WHEN $2 - a.at >= $4 OR $2 < a.at THEN 1 ELSE a.tries + 1 END, \
             at = CASE WHEN $2 - a.at >= $4 OR $2 < a.at THEN $2 ELSE a.at END, \
             expires_at = CASE WHEN $2 - a.at >= $4 OR $2 < a.at THEN $3 ELSE a.expires_at END",
            length,
            None,
        ),
    };
    let sql = format!(
        "INSERT INTO sign_in_attempt AS a (uid, tries, at, expires_at) VALUES ($1, 1, $2, $3) \
         ON CONFLICT (uid) DO UPDATE SET {update}"
    );
    let mut values: Vec<Value> = vec![key.to_vec().into(), now.into(), (now + reset).into(), reset.into()];
    values.extend(decay.map(Value::from));
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.map(drop)
}

/// Forgets counts.
pub async fn remove(tx: &WriteTx, key: &Key) -> Result<(), DbErr> {
    Entity::delete_by_id(key.to_vec()).exec(tx).await.map(drop)
}

/// Removes the counts with the fewest tries, if there are more than `max`, and at most `at_once` of them. Returns how many.
/// Those that are being changed stay: waiting for them could deadlock with [`add`].
pub async fn limit(db: &Db, max: u64, at_once: u64) -> Result<u64, DbErr> {
    let surplus = Entity::find().count(db.read()).await?.saturating_sub(max);
    if surplus == 0 {
        return Ok(0);
    }
    // SQLite has one writer anyway.
    let smallest = Entity::find()
        .select_only()
        .column(Column::Uid)
        .order_by_asc(Column::Tries)
        .order_by_asc(Column::ExpiresAt)
        .limit(std::cmp::min(surplus, at_once))
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    let tx = db.write_tx().await?;
    let of_page = Column::Uid.in_subquery(smallest.into_query());
    let removed = Entity::delete_many().filter(of_page).exec(&tx).await?.rows_affected;
    tx.commit().await?;
    Ok(removed)
}

/// Deletes counts that expired before `before`. Returns how many.
pub async fn prune(db: &Db, before: Timestamp) -> Result<u64, DbErr> {
    db::remove_in_pages::<Entity>(db, Column::Uid, Column::ExpiresAt.lt(before)).await
}

/// Returns whether [`prune`] would delete anything.
pub async fn any_expired(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(Column::ExpiresAt.lt(before)).exists(conn).await
}
