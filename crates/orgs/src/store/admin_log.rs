//! The log of the operator.

use identity::ErasedPerson;
use kernel::{Timestamp, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _, OnConflict};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::retention;
use crate::admin_log::{AdminEntry, AdminRecord};
use crate::entity::admin_entry::{ActiveModel, Column, Entity};

/// Stores the entry of a command, or adds to its changes.
pub async fn add(
    tx: &impl ConnectionTrait,
    record: &AdminRecord,
    target: Option<Uid>,
    changes: i64,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(record.uid),
        operator: Set(record.operator.clone()),
        command: Set(record.command.clone()),
        target: Set(target),
        changes: Set(changes),
        created_at: Set(record.created_at),
    };
    let sum = Expr::col((Entity, Column::Changes)).add(changes);
    let again = OnConflict::column(Column::Uid).value(Column::Changes, sum).to_owned();
    Entity::insert(row).on_conflict(again).exec_without_returning(tx).await.map(drop)
}

/// Returns the newest entries, newest first.
pub async fn newest(conn: &impl ConnectionTrait, limit: u64) -> Result<Vec<AdminEntry>, DbErr> {
    let rows = Entity::find().order_by_desc(Column::Uid).limit(limit).all(conn).await?;
    let entry = |row: crate::entity::admin_entry::Model| AdminEntry {
        created_at: row.created_at,
        operator: row.operator,
        command: row.command,
        target: row.target,
        changes: row.changes,
    };
    Ok(rows.into_iter().map(entry).collect())
}

/// Returns whether there are entries made before `before`.
pub async fn has_older(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    retention::has_older::<Entity>(conn, (Column::Uid, Column::CreatedAt), before).await
}

/// Removes up to `max` of the entries made before `before`. Returns their number.
pub async fn remove_old(tx: &impl ConnectionTrait, before: Timestamp, max: u64) -> Result<u64, DbErr> {
    retention::remove_old::<Entity>(tx, (Column::Uid, Column::CreatedAt), before, max).await
}

/// Replaces a person by the stand-in.
pub async fn erase(tx: &impl ConnectionTrait, erased: &ErasedPerson) -> Result<(), DbErr> {
    let update = Entity::update_many().col_expr(Column::Target, Expr::value(erased.stand_in.uid()));
    update.filter(Column::Target.eq(erased.person.uid())).exec(tx).await.map(drop)
}
