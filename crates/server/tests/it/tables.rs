//! Reads every column of every table.

use kernel::Uid;
use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, QueryResult, Statement, Value};

use super::test_app::TestApp;

/// Runs a query.
pub async fn rows(app: &TestApp, sql: &str, values: Vec<Value>) -> Vec<QueryResult> {
    rows_in(app.bootstrap.db.read(), sql, values).await
}

/// Runs a query in any database.
pub async fn rows_in(read: &DatabaseConnection, sql: &str, values: Vec<Value>) -> Vec<QueryResult> {
    let statement = Statement::from_sql_and_values(read.get_database_backend(), sql, values);
    read.query_all_raw(statement).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// Runs a statement that changes rows.
pub async fn execute(app: &TestApp, sql: &str, values: Vec<Value>) {
    let tx = app.bootstrap.db.write_tx().await.unwrap();
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    tx.execute_raw(statement).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    tx.commit().await.unwrap();
}

/// Returns all columns of all tables.
pub async fn columns(app: &TestApp) -> Vec<(String, String)> {
    columns_in(app.bootstrap.db.read()).await
}

async fn columns_in(read: &DatabaseConnection) -> Vec<(String, String)> {
    let sql = match read.get_database_backend() {
        DbBackend::Postgres => {
            "SELECT table_name::text, column_name::text FROM information_schema.columns \
             WHERE table_schema = current_schema() ORDER BY 1, 2"
        }
        _ => {
            "SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p \
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY 1, 2"
        }
    };
    let found = rows_in(read, sql, vec![]).await;
    found.iter().map(|row| (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap())).collect()
}

/// Returns how many rows contain an id, by `table.column`.
pub async fn naming(app: &TestApp, id: Uid) -> Vec<(String, i64)> {
    naming_in(app.bootstrap.db.read(), id).await
}

/// Returns the same for any database.
pub async fn naming_in(read: &DatabaseConnection, id: Uid) -> Vec<(String, i64)> {
    let (hyphens, simple) = (format!("%{id}%"), format!("%{}%", id.as_simple()));
    let mut found = Vec::new();
    for (table, column) in columns_in(read).await {
        let hex = match read.get_database_backend() {
            DbBackend::Postgres => String::new(),
            _ => format!(" OR LOWER(HEX(\"{column}\")) LIKE $2"),
        };
        let sql = format!(
            "SELECT COUNT(*) FROM {table} WHERE CAST(\"{column}\" AS TEXT) LIKE $1 \
             OR CAST(\"{column}\" AS TEXT) LIKE $2{hex}"
        );
        let count: i64 = rows_in(read, &sql, vec![hyphens.clone().into(), simple.clone().into()]).await[0]
            .try_get_by_index(0)
            .unwrap();
        if count > 0 {
            found.push((format!("{table}.{column}"), count));
        }
    }
    found
}

/// Returns where a text is stored, by `table.column`.
pub async fn containing(app: &TestApp, text: &str) -> Vec<String> {
    let text_of = |column: &str| match app.bootstrap.db.read().get_database_backend() {
        DbBackend::Postgres => format!("CAST(\"{column}\" AS TEXT)"),
        // Words of a search are stored as bytes.
        _ => format!("CAST(CAST(\"{column}\" AS BLOB) AS TEXT)"),
    };
    let mut found = Vec::new();
    for (table, column) in columns(app).await {
        let bytes = match app.bootstrap.db.read().get_database_backend() {
            DbBackend::Postgres => {
                let hex = hex(text);
                format!(" OR LOWER(CAST(\"{column}\" AS TEXT)) LIKE '%{hex}%'")
            }
            _ => String::new(),
        };
        let sql = format!("SELECT COUNT(*) FROM {table} WHERE LOWER({}) LIKE $1{bytes}", text_of(&column));
        let pattern = format!("%{}%", text.to_lowercase());
        let count: i64 = rows(app, &sql, vec![pattern.into()]).await[0].try_get_by_index(0).unwrap();
        if count > 0 {
            found.push(format!("{table}.{column}"));
        }
    }
    found
}

fn hex(text: &str) -> String {
    text.to_lowercase().bytes().map(|byte| format!("{byte:02x}")).collect()
}
