//! Rows of a list of ids.

use sea_orm::sea_query::Expr;
use sea_orm::sea_query::postgres_array::NotU8;
use sea_orm::{ColumnTrait, DbBackend, Value};

/// Number of values that PostgreSQL takes an array to have if it makes a plan for all arrays.
const PLANNED: usize = 10;

/// Returns whether a column is among these ids. PostgreSQL gets them as one array: it plans for an organisation of average
/// size, and would rather read all rows of a large one than look up many single values. A shorter array is filled up with
/// its last value: for fewer values, PostgreSQL would make a new plan each time, which takes longer than reading the rows.
pub fn among<Id>(backend: DbBackend, column: impl ColumnTrait, ids: &[Id]) -> Expr
where
    Id: Copy + Into<Value> + NotU8,
{
    match backend {
        DbBackend::Postgres => {
            let filled = ids.last().into_iter().cycle().take(PLANNED.saturating_sub(ids.len()));
            column.eq_any(ids.iter().chain(filled).copied())
        }
        _ => column.is_in(ids.iter().copied()),
    }
}
