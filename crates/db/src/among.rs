//! Rows of a list of ids.

use sea_orm::sea_query::Expr;
use sea_orm::sea_query::postgres_array::NotU8;
use sea_orm::{ColumnTrait, DbBackend, Value};

/// Returns whether a column is among these ids. PostgreSQL gets them as one array: it plans for an organisation of average
/// size, and would rather read all rows of a large one than look up many single values.
pub fn among<Id>(backend: DbBackend, column: impl ColumnTrait, ids: &[Id]) -> Expr
where
    Id: Copy + Into<Value> + NotU8,
{
    match backend {
        DbBackend::Postgres => column.eq_any(ids.iter().copied()),
        _ => column.is_in(ids.iter().copied()),
    }
}
