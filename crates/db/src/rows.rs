//! Queries and writes many rows in one statement, for the few places where one statement per row would be too
//! slow.
//!
//! Every statement has one of a few sizes, so that the engine prepares and caches
//! few statements.

use std::fmt::Write as _;

use kernel::Uid;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

use crate::Db;

/// Rows per INSERT, largest first. The widest row here has 16 columns; SQLite allows 32,766 bound values.
const SIZES: [usize; 5] = [256, 64, 16, 4, 1];

/// Looks up many keys at once. `rest` may select from the common table `want`, which has the named columns
/// and the given rows. A row of the result may appear more than once, because the list of keys is padded.
pub async fn select_by_keys<const N: usize>(
    conn: &impl ConnectionTrait,
    columns: &'static str,
    rows: &[[Value; N]],
    rest: &'static str,
) -> Result<Vec<QueryResult>, DbErr> {
    let Some(last) = rows.last() else { return Ok(Vec::new()) };
    let mut results = Vec::with_capacity(rows.len());
    for chunk in rows.chunks(SIZES[0]) {
        let size = chunk.len().next_power_of_two();
        let filled = chunk.iter().chain(std::iter::repeat_n(last, size - chunk.len()));
        let sql = format!("WITH want ({columns}) AS (VALUES {}) {rest}", placeholders::<N>(size));
        let values: Vec<Value> = filled.flat_map(|row| row.iter().cloned()).collect();
        let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
        results.extend(conn.query_all_raw(statement).await?);
    }
    Ok(results)
}

/// Writes many rows with `INSERT INTO {into} VALUES … {tail}` and returns the rows of a RETURNING clause in
/// `tail`. If `tail` is an upsert, all rows must have different keys.
pub async fn bulk_upsert<const N: usize>(
    conn: &impl ConnectionTrait,
    into: &'static str,
    rows: &[[Value; N]],
    tail: &'static str,
) -> Result<Vec<QueryResult>, DbErr> {
    let mut returned = Vec::new();
    let mut rest = rows;
    while !rest.is_empty() {
        let size = SIZES.into_iter().find(|size| *size <= rest.len()).unwrap_or(1);
        let (chunk, others) = rest.split_at(size);
        let sql = format!("INSERT INTO {into} VALUES {} {tail}", placeholders::<N>(size));
        let values: Vec<Value> = chunk.iter().flatten().cloned().collect();
        let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
        if tail.contains("RETURNING") {
            returned.extend(conn.query_all_raw(statement).await?);
        } else {
            conn.execute_raw(statement).await?;
        }
        rest = others;
    }
    Ok(returned)
}

/// Rows per transaction of [`remove_all`].
const REMOVED_AT_ONCE: i64 = 500;

/// Removes the rows of `table` in which `column` is `id`, a page per transaction, so that others can write in between.
/// `key` is the table's primary key; an index of the table must begin with `column`.
pub async fn remove_all(
    db: &Db,
    table: &'static str,
    key: &'static str,
    column: &'static str,
    id: impl Into<Uid>,
) -> Result<(), DbErr> {
    let id: Uid = id.into();
    let sql = format!(
        "DELETE FROM {table} WHERE {column} = $1 AND ({key}) IN \
         (SELECT {key} FROM {table} WHERE {column} = $1 LIMIT {REMOVED_AT_ONCE})"
    );
    loop {
        let tx = db.write_tx_on(id).await?;
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), &sql, [id.into()]);
        let removed = tx.execute_raw(statement).await?.rows_affected();
        tx.commit().await?;
        if i64::try_from(removed).unwrap_or(i64::MAX) < REMOVED_AT_ONCE {
            return Ok(());
        }
    }
}

/// Returns the placeholders of `rows` rows with `N` values each, such as `($1,$2),($3,$4)`.
fn placeholders<const N: usize>(rows: usize) -> String {
    let mut text = String::with_capacity(rows * N * 6);
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ",(" });
        for column in 0..N {
            let comma = if column == 0 { "" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(text, "{comma}${}", row * N + column + 1);
        }
        text.push(')');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::placeholders;

    #[test]
    fn placeholders_are_numbered_consecutively() {
        assert_eq!(placeholders::<2>(2), "($1,$2),($3,$4)");
    }
}
