//! Loads the rows of a table.

use std::fmt::Write as _;

use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};
use serde_json::Value as Json;

use crate::Error;
use crate::catalog::Table;
use crate::part::PartReader;

/// Most rows in a statement.
const ROWS_MAX: usize = 200;
/// Most values in a statement; SQLite allows 32,766.
const VALUES_MAX: usize = 16_000;

/// Inserts all rows of a part into a table.
pub(crate) async fn table(
    conn: &impl ConnectionTrait,
    table: &Table,
    mut part: PartReader<'_>,
) -> Result<(), Error> {
    let at_once = (VALUES_MAX / table.columns.len().max(1)).clamp(1, ROWS_MAX);
    let mut values: Vec<Value> = Vec::new();
    let mut rows = 0;
    while let Some(row) = part.next::<Json>()? {
        let row = table
            .values(&row)
            .map_err(|problem| Error::Damaged(format!("the rows of {}: {problem}", table.name)))?;
        values.extend(row);
        rows += 1;
        if rows == at_once {
            insert(conn, table, rows, std::mem::take(&mut values)).await?;
            rows = 0;
        }
    }
    if rows > 0 {
        insert(conn, table, rows, values).await?;
    }
    Ok(())
}

async fn insert(
    conn: &impl ConnectionTrait,
    table: &Table,
    rows: usize,
    values: Vec<Value>,
) -> Result<(), Error> {
    let backend = conn.get_database_backend();
    let statement = Statement::from_sql_and_values(backend, sql(backend, table, rows), values);
    conn.execute_raw(statement).await?;
    Ok(())
}

fn sql(backend: DbBackend, table: &Table, rows: usize) -> String {
    let columns: Vec<String> = table.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
    // Numbered rows keep their numbers.
    let overriding = if backend == DbBackend::Postgres { " OVERRIDING SYSTEM VALUE" } else { "" };
    let mut sql = format!("INSERT INTO \"{}\" ({}){overriding} VALUES ", table.name, columns.join(", "));
    let mut number = 0;
    for row in 0..rows {
        sql.push_str(if row == 0 { "(" } else { ", (" });
        for (at, column) in table.columns.iter().enumerate() {
            number += 1;
            let comma = if at == 0 { "" } else { ", " };
            // Writing to a String cannot fail.
            let _ = write!(sql, "{comma}{}", column.placeholder(backend, number));
        }
        sql.push(')');
    }
    sql
}
