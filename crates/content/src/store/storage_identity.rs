//! The id of the storage.

use kernel::{Timestamp, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait as _, ConnectionTrait, DbErr, EntityTrait as _, QueryFilter as _};

use crate::entity::storage_identity::{ActiveModel, Column, Entity, Model};

/// Key of the only row.
const ONLY: i32 = 1;

/// Returns the id, if there is one.
pub async fn read(conn: &impl ConnectionTrait) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(ONLY).one(conn).await
}

/// Stores an id unless there is one. It is not in the storage yet.
pub async fn insert_if_absent(tx: &impl ConnectionTrait, id: Uid, now: Timestamp) -> Result<(), DbErr> {
    let absent = OnConflict::column(Column::Number).do_nothing().to_owned();
    Entity::insert(row(id, now)).on_conflict(absent).exec_without_returning(tx).await.map(drop)
}

/// Stores an id instead of the one before. It is not in the storage yet.
pub async fn replace(tx: &impl ConnectionTrait, id: Uid, now: Timestamp) -> Result<(), DbErr> {
    let columns = [Column::Id, Column::IsStored, Column::CreatedAt];
    let instead = OnConflict::column(Column::Number).update_columns(columns).to_owned();
    Entity::insert(row(id, now)).on_conflict(instead).exec_without_returning(tx).await.map(drop)
}

fn row(id: Uid, now: Timestamp) -> ActiveModel {
    ActiveModel { number: Set(ONLY), id: Set(id), is_stored: Set(false), created_at: Set(now) }
}

/// Notes that the id was written into the storage.
pub async fn set_stored(tx: &impl ConnectionTrait, id: Uid) -> Result<(), DbErr> {
    let update = Entity::update_many().col_expr(Column::IsStored, Expr::value(true));
    update.filter(Column::Id.eq(id)).exec(tx).await.map(drop)
}
