//! The tables of a database, read from the engine.

use std::collections::BTreeMap;

use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement};

use crate::Error;

/// Tables that belong to a database and not to what it stores, or that are made anew from it.
const INTERNAL: [&str; 6] =
    ["schema_migration", "write_probe", "backup_record", "view_pack", "person_pack", "person_packed"];

/// The type of a column's values, the same on both engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Uuid,
    Integer,
    Float,
    Boolean,
    Bytes,
    Text,
    Json,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub name: String,
    pub kind: ColumnType,
    /// The engine's name of the type.
    pub declared: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub name: String,
    pub columns: Vec<Column>,
}

async fn query(conn: &impl ConnectionTrait, sqlite: &str, postgres: &str) -> Result<Vec<QueryResult>, DbErr> {
    let backend = conn.get_database_backend();
    let sql = if backend == DbBackend::Postgres { postgres } else { sqlite };
    conn.query_all_raw(Statement::from_string(backend, sql)).await
}

/// Returns the tables in an order in which each follows those that it refers to.
pub(crate) async fn tables(conn: &impl ConnectionTrait) -> Result<Vec<Table>, Error> {
    let rows = query(
        conn,
        "SELECT m.name, p.name, p.type FROM sqlite_master m JOIN pragma_table_info(m.name) p \
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.name, p.cid",
        "SELECT c.table_name::text, c.column_name::text, c.data_type::text FROM information_schema.columns c \
         JOIN information_schema.tables t USING (table_schema, table_name) \
         WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' \
         ORDER BY 1, c.ordinal_position",
    )
    .await?;
    let mut found: BTreeMap<String, Vec<Column>> = BTreeMap::new();
    for row in rows {
        let (table, name, declared): (String, String, String) =
            (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        if INTERNAL.contains(&table.as_str()) {
            continue;
        }
        let declared = declared.to_lowercase();
        let Some(kind) = kind(&declared) else {
            let problem = format!("its type {declared} is unknown");
            return Err(Error::Value { table, column: name, problem });
        };
        found.entry(table).or_default().push(Column { name, kind, declared });
    }
    let references = references(conn).await?;
    Ok(sorted(found.into_iter().map(|(name, columns)| Table { name, columns }).collect(), &references))
}

/// Returns the type of a column by its name in either engine.
fn kind(declared: &str) -> Option<ColumnType> {
    let plain = declared.split('(').next().unwrap_or_default().trim();
    Some(match plain {
        "uuid" | "uuid_text" => ColumnType::Uuid,
        "integer" | "bigint" | "smallint" => ColumnType::Integer,
        "double" | "real" | "double precision" => ColumnType::Float,
        "boolean" => ColumnType::Boolean,
        "blob" | "bytea" => ColumnType::Bytes,
        "text" | "varchar" | "character varying" => ColumnType::Text,
        "json" | "jsonb" | "json_text" | "jsonb_text" => ColumnType::Json,
        _ => return None,
    })
}

/// A foreign key between two tables.
struct Reference {
    from: String,
    to: String,
}

/// Returns which table refers to which.
async fn references(conn: &impl ConnectionTrait) -> Result<Vec<Reference>, DbErr> {
    let rows = query(
        conn,
        "SELECT m.name, f.\"table\" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f \
         WHERE m.type = 'table'",
        "SELECT c.relname::text, r.relname::text FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid \
         JOIN pg_class r ON r.oid = f.confrelid \
         WHERE f.contype = 'f' AND f.connamespace = current_schema()::regnamespace",
    )
    .await?;
    rows.iter()
        .map(|row| Ok(Reference { from: row.try_get_by_index(0)?, to: row.try_get_by_index(1)? }))
        .collect()
}

/// Sorts tables so that each follows those that it refers to.
fn sorted(mut rest: Vec<Table>, references: &[Reference]) -> Vec<Table> {
    let mut sorted = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let waits = |table: &Table| {
            references.iter().any(|Reference { from, to }| {
                from == &table.name && to != from && rest.iter().any(|other| &other.name == to)
            })
        };
        // Tables that refer to each other in a circle keep their order.
        let next = rest.iter().position(|table| !waits(table)).unwrap_or(0);
        sorted.push(rest.remove(next));
    }
    sorted
}

/// Returns the last number given to a row, for tables with numbered rows.
pub(crate) async fn numbers(conn: &impl ConnectionTrait) -> Result<BTreeMap<String, i64>, DbErr> {
    let backend = conn.get_database_backend();
    if backend != DbBackend::Postgres {
        let exists = "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'";
        if conn.query_one_raw(Statement::from_string(backend, exists)).await?.is_none() {
            return Ok(BTreeMap::new());
        }
    }
    let rows = query(
        conn,
        "SELECT name, seq FROM sqlite_sequence",
        "SELECT table_name::text, COALESCE(pg_sequence_last_value(\
         pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass), 0) \
         FROM information_schema.columns WHERE table_schema = current_schema() \
         AND (column_default LIKE 'nextval%' OR is_identity = 'YES')",
    )
    .await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Makes a table number its next row after `last`, which is at least the highest number in it.
pub(crate) async fn set_number(conn: &impl ConnectionTrait, table: &str, last: i64) -> Result<(), DbErr> {
    if last < 1 {
        return Ok(());
    }
    let backend = conn.get_database_backend();
    let statements: &[&str] = match backend {
        DbBackend::Postgres => {
            &["SELECT setval(pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass, $2) \
               FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 \
               AND (column_default LIKE 'nextval%' OR is_identity = 'YES')"]
        }
        _ => &[
            "INSERT INTO sqlite_sequence (name, seq) SELECT $1, $2 \
             WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = $1)",
            "UPDATE sqlite_sequence SET seq = MAX(seq, $2) WHERE name = $1",
        ],
    };
    for sql in statements {
        let statement = Statement::from_sql_and_values(backend, *sql, [table.into(), last.into()]);
        conn.execute_raw(statement).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_follow_those_they_refer_to() {
        let table = |name: &str| Table { name: name.to_owned(), columns: Vec::new() };
        let references = [("a", "c"), ("b", "a"), ("c", "c")];
        let references = references.map(|(from, to)| Reference { from: from.to_owned(), to: to.to_owned() });
        let names: Vec<String> = sorted(vec![table("a"), table("b"), table("c")], &references)
            .into_iter()
            .map(|table| table.name)
            .collect();
        assert_eq!(names, ["c", "a", "b"]);
    }

    #[test]
    fn both_engines_have_the_same_types() {
        for (sqlite, postgres) in [
            ("uuid_text", "uuid"),
            ("integer", "bigint"),
            ("double", "double precision"),
            ("blob(1)", "bytea"),
            ("varchar", "character varying"),
            ("json_text", "json"),
        ] {
            assert!(kind(sqlite).is_some() && kind(sqlite) == kind(postgres), "{sqlite}");
        }
        assert_eq!(kind("geometry"), None);
    }
}
