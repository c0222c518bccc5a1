//! Queries and writes many rows in one statement, for the few places where one statement per row would be too
//! slow.
//!
//! The engine prepares and caches few statements, because their text depends little on the number of rows. On PostgreSQL
//! each column is one array, however many rows there are. On SQLite there are a few sizes, and a statement is filled up to
//! the next one.

use std::fmt::Write as _;

use kernel::Uid;
use sea_orm::sea_query::ArrayType;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement, Value};

use crate::Db;

/// Rows per statement on SQLite, a power of two. The widest row here has 20 columns; SQLite allows 32,766 bound values.
const SQLITE_ROWS_MAX: usize = 256;
/// Rows per statement on PostgreSQL.
const ROWS_MAX: usize = 4_096;

/// Looks up many keys at once. `rest` may select from the common table `want`, which has the named columns
/// and the given rows, in their order. A row of the result may appear more than once, because the list of keys may be
/// padded.
pub async fn select_by_keys<const N: usize>(
    conn: &impl ConnectionTrait,
    columns: &'static str,
    rows: &[[Value; N]],
    rest: &'static str,
) -> Result<Vec<QueryResult>, DbErr> {
    let mut results = Vec::with_capacity(rows.len());
    for statement in Write::by_keys(conn.get_database_backend(), columns, rows, rest)?.statements() {
        results.extend(conn.query_all_raw(statement).await?);
    }
    Ok(results)
}

/// Writes many rows with `INSERT INTO {into} .. {tail}`, in their order, and returns the rows of a RETURNING clause in
/// `tail`. If `tail` is an upsert, all rows must have different keys.
pub async fn bulk_upsert<const N: usize>(
    conn: &impl ConnectionTrait,
    into: &'static str,
    rows: &[[Value; N]],
    tail: &'static str,
) -> Result<Vec<QueryResult>, DbErr> {
    let mut returned = Vec::new();
    for statement in Write::upsert(conn.get_database_backend(), into, rows, tail)?.statements() {
        if tail.contains("RETURNING") {
            returned.extend(conn.query_all_raw(statement).await?);
        } else {
            conn.execute_raw(statement).await?;
        }
    }
    Ok(returned)
}

/// Writes that PostgreSQL runs as one statement, so that they take one round trip, and rows that others write, too, are
/// locked for a short time. No write may depend on what another one of the set writes. On PostgreSQL, the order in which they
/// run depends only on the order in which they were added, so two transactions that add them in the same order, with
/// their rows in the same order, never wait for each other.
pub struct WriteSet {
    backend: DbBackend,
    writes: Vec<Write>,
}

impl WriteSet {
    /// Creates an empty set for the engine of a connection.
    pub fn new(conn: &impl ConnectionTrait) -> Self {
        Self { backend: conn.get_database_backend(), writes: Vec::new() }
    }

    /// Returns the engine, for the few writes that must differ.
    pub fn backend(&self) -> DbBackend {
        self.backend
    }

    /// Adds what [`bulk_upsert`] does. `tail` must not return rows.
    ///
    /// # Errors
    /// If a column has values of different types.
    pub fn upsert<const N: usize>(
        &mut self,
        into: &'static str,
        rows: &[[Value; N]],
        tail: &'static str,
    ) -> Result<(), DbErr> {
        self.add(Write::upsert(self.backend, into, rows, tail)?);
        Ok(())
    }

    /// Adds an UPDATE or DELETE of many keys, with `want` as in [`select_by_keys`]. It must not return rows.
    ///
    /// # Errors
    /// If a column has values of different types.
    pub fn by_keys<const N: usize>(
        &mut self,
        columns: &'static str,
        rows: &[[Value; N]],
        rest: &'static str,
    ) -> Result<(), DbErr> {
        self.add(Write::by_keys(self.backend, columns, rows, rest)?);
        Ok(())
    }

    fn add(&mut self, write: Write) {
        if !write.chunks.is_empty() {
            self.writes.push(write);
        }
    }

    /// Runs the writes. Returns how many rows the last one has changed if it is an upsert.
    ///
    /// # Errors
    /// If a statement fails.
    pub async fn run(self, conn: &impl ConnectionTrait) -> Result<u64, DbErr> {
        if self.backend == DbBackend::Postgres && self.writes.iter().all(|write| write.chunks.len() == 1) {
            let Some(statement) = self.in_one() else { return Ok(0) };
            return Ok(conn.execute_raw(statement).await?.rows_affected());
        }
        let mut changed = 0;
        for write in self.writes {
            changed = 0;
            for statement in write.statements() {
                changed += conn.execute_raw(statement).await?.rows_affected();
            }
        }
        Ok(changed)
    }

    /// Makes one statement of all writes.
    fn in_one(mut self) -> Option<Statement> {
        let last = self.writes.pop_if(|write| write.want.is_none());
        let (mut sql, mut all) = (String::new(), Vec::new());
        for (number, write) in self.writes.into_iter().enumerate() {
            let comma = if number == 0 { "WITH" } else { "," };
            for (text, values) in write.numbered_after(all.len()) {
                // Writing to a String cannot fail.
                let _ = write!(sql, "{comma} write_{number} AS ({text}) ");
                all.extend(values);
            }
        }
        match last {
            Some(last) => {
                for (text, values) in last.numbered_after(all.len()) {
                    sql.push_str(&text);
                    all.extend(values);
                }
            }
            None if all.is_empty() => return None,
            None => sql.push_str("SELECT 1"),
        }
        Some(Statement::from_sql_and_values(DbBackend::Postgres, sql, all))
    }
}

/// A statement about many rows.
struct Write {
    backend: DbBackend,
    /// Columns of the rows if they are the table `want`.
    want: Option<&'static str>,
    before: String,
    after: &'static str,
    chunks: Vec<Chunk>,
}

/// Rows of one statement.
enum Chunk {
    /// One array per column, for PostgreSQL.
    Arrays(Vec<Column>),
    /// A number of rows of values, for SQLite, and how many values a row has.
    Rows(usize, usize, Vec<Value>),
    /// The same, of which only the first ones are written. Their number is the last value.
    FirstRows(usize, usize, Vec<Value>),
}

impl Write {
    fn upsert<const N: usize>(
        backend: DbBackend,
        into: &'static str,
        rows: &[[Value; N]],
        after: &'static str,
    ) -> Result<Self, DbErr> {
        // Filled up with rows that are left out, because each row may be written only once.
        let padded = |chunk: &[[Value; N]]| {
            let size = chunk.len().next_power_of_two();
            let mut values: Vec<Value> = Vec::with_capacity(size * N + 1);
            values.extend(chunk.iter().flatten().cloned());
            values.resize(size * N, Value::BigInt(None));
            values.push((chunk.len() as i64).into());
            Chunk::FirstRows(size, N, values)
        };
        let chunks = match backend {
            DbBackend::Postgres => arrays(rows)?,
            _ => rows.chunks(SQLITE_ROWS_MAX).map(padded).collect(),
        };
        Ok(Self { backend, want: None, before: format!("INSERT INTO {into} "), after, chunks })
    }

    fn by_keys<const N: usize>(
        backend: DbBackend,
        columns: &'static str,
        rows: &[[Value; N]],
        after: &'static str,
    ) -> Result<Self, DbErr> {
        let padded = |chunk: &[[Value; N]]| {
            let size = chunk.len().next_power_of_two();
            let last = chunk.last().into_iter().cycle().take(size - chunk.len());
            Chunk::Rows(size, N, chunk.iter().chain(last).flatten().cloned().collect())
        };
        let chunks = match backend {
            DbBackend::Postgres => arrays(rows)?,
            _ => rows.chunks(SQLITE_ROWS_MAX).map(padded).collect(),
        };
        Ok(Self {
            backend,
            want: Some(columns),
            before: format!("WITH want ({columns}) AS ("),
            after,
            chunks,
        })
    }

    fn statements(self) -> impl Iterator<Item = Statement> {
        let backend = self.backend;
        self.numbered_after(0).map(move |(sql, values)| Statement::from_sql_and_values(backend, sql, values))
    }

    /// Returns the texts and values of the statements, with parameters that follow `bound` others.
    fn numbered_after(self, bound: usize) -> impl Iterator<Item = (String, Vec<Value>)> {
        let Self { want, before, after, chunks, .. } = self;
        chunks.into_iter().map(move |chunk| {
            let (rows, values) = chunk.numbered_after(bound);
            let end = if want.is_some() { ")" } else { "" };
            (format!("{before}{rows}{end} {after}"), values)
        })
    }
}

impl Chunk {
    /// Returns the text that has the rows, and its values.
    fn numbered_after(self, bound: usize) -> (String, Vec<Value>) {
        match self {
            Self::Arrays(columns) => select_arrays(columns, bound),
            Self::Rows(rows, width, values) => (format!("VALUES {}", placeholders(rows, width)), values),
            Self::FirstRows(rows, width, values) => {
                (format!("SELECT * FROM (VALUES {}) LIMIT ?", placeholders(rows, width)), values)
            }
        }
    }
}

/// A column as an array.
struct Column {
    values: Value,
    /// Where a value is absent, if one is.
    absent: Option<Value>,
}

/// Converts rows to arrays.
fn arrays<const N: usize>(rows: &[[Value; N]]) -> Result<Vec<Chunk>, DbErr> {
    let chunk = |chunk: &[[Value; N]]| {
        Ok(Chunk::Arrays((0..N).map(|column| Column::of(chunk, column)).collect::<Result<_, DbErr>>()?))
    };
    rows.chunks(ROWS_MAX).map(chunk).collect()
}

/// Returns a text that selects the rows in arrays, and the arrays. A column with absent values has a second array, which
/// tells where they are, because the driver writes no array with absent values.
fn select_arrays(columns: Vec<Column>, bound: usize) -> (String, Vec<Value>) {
    let (mut names, mut selected, mut parameters) = (String::new(), String::new(), String::new());
    let mut values = Vec::with_capacity(columns.len());
    for (column, array) in columns.into_iter().enumerate() {
        let comma = if column == 0 { "" } else { "," };
        let mut bind = |name: char, value: Value| {
            let comma = if values.is_empty() { "" } else { "," };
            values.push(value);
            // Writing to a String cannot fail.
            let _ = write!(names, "{comma}{name}{column}");
            let _ = write!(parameters, "{comma}${}", bound + values.len());
        };
        bind('c', array.values);
        let _ = match array.absent {
            Some(absent) => {
                bind('n', absent);
                write!(selected, "{comma}CASE WHEN n{column} THEN NULL ELSE c{column} END")
            }
            None => write!(selected, "{comma}c{column}"),
        };
    }
    (format!("SELECT {selected} FROM unnest({parameters}) AS given ({names})"), values)
}

impl Column {
    fn of<const N: usize>(rows: &[[Value; N]], column: usize) -> Result<Self, DbErr> {
        let all = || rows.iter().map(|row| &row[column]);
        let unknown = || DbErr::Custom("values of these types cannot be written in bulk".to_owned());
        let kind = all().next().and_then(array_type).ok_or_else(unknown)?;
        let mut values = Vec::with_capacity(rows.len());
        let mut flags = Vec::new();
        for value in all() {
            if array_type(value).as_ref() != Some(&kind) {
                return Err(unknown());
            }
            if *value == value.as_null() {
                flags.resize(values.len(), Value::from(false));
                flags.push(true.into());
                values.push(value.dummy_value());
            } else {
                values.push(value.clone());
            }
        }
        let absent = (!flags.is_empty()).then(|| {
            flags.resize(values.len(), false.into());
            Value::Array(ArrayType::Bool, Some(Box::new(flags)))
        });
        Ok(Self { values: Value::Array(kind, Some(Box::new(values))), absent })
    }
}

/// Returns the type of an array of such values; `None` for those that no table here has.
fn array_type(value: &Value) -> Option<ArrayType> {
    let is_known = matches!(
        value,
        Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::Uuid(_)
            | Value::Json(_)
    );
    is_known.then(|| value.array_type())
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

/// Returns the placeholders of a number of rows with `width` values each, such as `(?,?),(?,?)`. They have no names,
/// because SQLite would search for each of them among all others.
fn placeholders(rows: usize, width: usize) -> String {
    let row = format!("({})", vec!["?"; width].join(","));
    vec![row.as_str(); rows].join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_rows() {
        assert_eq!(placeholders(2, 2), "(?,?),(?,?)");
    }

    #[test]
    fn writes_become_one_statement_of_which_the_last_one_is_the_main_part() {
        let (one, other) = ([[Value::from(1_i64), Value::from(None::<String>)]], [[Value::from(true)]]);
        let mut writes = WriteSet { backend: DbBackend::Postgres, writes: Vec::new() };
        writes.upsert("a (x, y)", &one, "ON CONFLICT DO NOTHING").unwrap();
        writes.upsert::<1>("empty (x)", &[], "").unwrap();
        writes.by_keys("x, y", &one, "DELETE FROM b USING want WHERE b.x = want.x").unwrap();
        writes.upsert("c (z)", &other, "").unwrap();
        let statement = writes.in_one().unwrap();
        let rows = |first: u8| {
            let (second, third) = (first + 1, first + 2);
            format!(
                "SELECT c0,CASE WHEN n1 THEN NULL ELSE c1 END FROM unnest(${first},${second},${third}) AS given (c0,c1,n1)"
            )
        };
        let expected = format!(
            "WITH write_0 AS (INSERT INTO a (x, y) {} ON CONFLICT DO NOTHING) , write_1 AS (WITH want (x, y) AS ({}) \
             DELETE FROM b USING want WHERE b.x = want.x) INSERT INTO c (z) SELECT c0 FROM unnest($7) AS given (c0) ",
            rows(1),
            rows(4)
        );
        assert_eq!(statement.sql, expected);
        assert_eq!(statement.values.unwrap().0.len(), 7);
    }
}
