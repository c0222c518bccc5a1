//! The objects that rows refer to, as one list.

use db::Stored;
use kernel::Timestamp;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, Statement};

use super::object::ObjectKind;
use crate::entity::{resumable, stored_object};

/// An object that a row refers to.
#[derive(FromQueryResult)]
pub struct NamedRow {
    pub path: String,
    pub kind: Stored<ObjectKind>,
    pub bytes: i64,
    /// When its item was deleted.
    pub deleted_at: Option<Timestamp>,
}

/// Returns a page of the objects that rows refer to, by path.
pub async fn named(conn: &impl ConnectionTrait, after: &str, limit: u64) -> Result<Vec<NamedRow>, DbErr> {
    let sql = "SELECT o.path, o.kind, o.bytes, c.deleted_at FROM stored_object o \
               LEFT JOIN content c ON c.uid = o.content \
               WHERE o.unreferenced_at IS NULL AND o.kind <> 'staged' AND o.path > $1 ORDER BY o.path LIMIT $2";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let statement =
        Statement::from_sql_and_values(conn.get_database_backend(), sql, [after.into(), limit.into()]);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| NamedRow::from_query_result(row, "")).collect()
}

/// Removes the resumable uploads and the records of what was received of them.
pub async fn remove_partial(tx: &impl ConnectionTrait) -> Result<(), DbErr> {
    resumable::Entity::delete_many().exec(tx).await?;
    stored_object::Entity::delete_many()
        .filter(stored_object::Column::Kind.eq(ObjectKind::Staged))
        .exec(tx)
        .await?;
    Ok(())
}
