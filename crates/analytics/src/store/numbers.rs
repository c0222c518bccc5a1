//! Many rows of numbers, read as one value per column: with SQLite, every row of a result is handed from the thread of the
//! connection to the caller, which takes longer than to read its numbers.

use kernel::Uid;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement, Value};

/// Length of an id.
const UID_BYTES: usize = 16;

/// Returns rows of numbers, none of which may be null, in no order. `rest` is what follows the columns of a SELECT.
pub async fn select<const N: usize>(
    conn: &impl ConnectionTrait,
    columns: [&str; N],
    rest: &str,
    values: Vec<Value>,
) -> Result<Vec<[i64; N]>, DbErr> {
    let columns = aggregates(conn.get_database_backend(), columns);
    numbers(&aggregated(conn, &columns, rest, values).await?, 0)
}

/// Returns rows of an id and numbers.
pub async fn select_by_id<const N: usize>(
    conn: &impl ConnectionTrait,
    columns: (&str, [&str; N]),
    rest: &str,
    values: Vec<Value>,
) -> Result<Vec<(Uid, [i64; N])>, DbErr> {
    let columns = columns_by_id(conn.get_database_backend(), columns);
    by_id(&aggregated(conn, &columns, rest, values).await?, 0)
}

/// Returns what selects rows of an id and numbers as one row, for statements that select more than that.
pub fn columns_by_id<const N: usize>(backend: DbBackend, (id, columns): (&str, [&str; N])) -> String {
    format!("{}, {}", column_of_ids(backend, id), aggregates(backend, columns))
}

/// Returns what selects a column of ids as one value, for [`ids`].
pub fn column_of_ids(backend: DbBackend, id: &str) -> String {
    match backend {
        DbBackend::Sqlite => format!("CAST(string_agg({id}, '') AS BLOB)"),
        _ => format!("string_agg(uuid_send({id}), '')"),
    }
}

/// Returns the rows of what [`columns_by_id`] selected at `first`.
pub fn by_id<const N: usize>(row: &QueryResult, first: usize) -> Result<Vec<(Uid, [i64; N])>, DbErr> {
    let (ids, numbers) = (ids(row, first)?, numbers(row, first + 1)?);
    if ids.len() != numbers.len() {
        return Err(unreadable());
    }
    Ok(ids.into_iter().zip(numbers).collect())
}

/// Returns rows of two ids and numbers, from two columns of ids that begin at `first` and columns of numbers after them.
pub fn with_ids<const N: usize>(row: &QueryResult, first: usize) -> Result<Vec<(Uid, Uid, [i64; N])>, DbErr> {
    let (one, other, numbers) = (ids(row, first)?, ids(row, first + 1)?, numbers(row, first + 2)?);
    if one.len() != numbers.len() || other.len() != numbers.len() {
        return Err(unreadable());
    }
    let ids = one.into_iter().zip(other);
    Ok(ids.zip(numbers).map(|((one, other), numbers)| (one, other, numbers)).collect())
}

/// Returns what selects the ids of the deleted rows of the organisation `$1` from a table as one value, for [`ids`].
pub fn deleted_of_org(backend: DbBackend, table: &str) -> String {
    let uids = column_of_ids(backend, "uid");
    format!("SELECT {uids} FROM {table} WHERE org = $1 AND deleted_at IS NOT NULL")
}

/// Returns the ids that [`column_of_ids`] selected at `column`.
pub fn ids(row: &QueryResult, column: usize) -> Result<Vec<Uid>, DbErr> {
    let ids: Option<Vec<u8>> = row.try_get_by_index(column)?;
    let (ids, remainder) = ids.as_deref().unwrap_or_default().as_chunks::<UID_BYTES>();
    if !remainder.is_empty() {
        return Err(unreadable());
    }
    Ok(ids.iter().map(|id| Uid::from_bytes(*id)).collect())
}

async fn aggregated(
    conn: &impl ConnectionTrait,
    columns: &str,
    rest: &str,
    values: Vec<Value>,
) -> Result<QueryResult, DbErr> {
    one_row(conn, format!("SELECT {columns} {rest}"), values).await
}

/// Returns the row of a statement that selects aggregates only.
pub async fn one_row(
    conn: &impl ConnectionTrait,
    sql: String,
    values: impl IntoIterator<Item = Value>,
) -> Result<QueryResult, DbErr> {
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    let row = conn.query_one_raw(statement).await?;
    row.ok_or_else(|| DbErr::RecordNotFound("an aggregate has no row".to_owned()))
}

/// Returns what selects each column as one value. All of them have the rows in the same order, because they are aggregated in one pass.
pub fn aggregates<const N: usize>(backend: DbBackend, columns: [&str; N]) -> String {
    let number = |column| match backend {
        DbBackend::Sqlite => format!("string_agg({column}, ',')"),
        _ => format!("string_agg(CAST({column} AS text), ',')"),
    };
    columns.map(number).join(", ")
}

/// Returns the rows of what [`aggregates`] selected at `first`.
pub fn numbers<const N: usize>(row: &QueryResult, first: usize) -> Result<Vec<[i64; N]>, DbErr> {
    let mut columns: [Option<String>; N] = [const { None }; N];
    for (number, column) in columns.iter_mut().enumerate() {
        *column = row.try_get_by_index(first + number)?;
    }
    rows(&columns).ok_or_else(unreadable)
}

/// Returns the rows of columns; `None` if they are not numbers, or not equally many.
fn rows<const N: usize>(columns: &[Option<String>; N]) -> Option<Vec<[i64; N]>> {
    let mut rows: Vec<[i64; N]> = Vec::new();
    for (column, text) in columns.iter().enumerate() {
        let mut length = 0;
        for digits in text.iter().flat_map(|text| text.as_bytes().split(|byte| *byte == b',')) {
            if column == 0 {
                rows.push([0; N]);
            }
            rows.get_mut(length)?[column] = number(digits)?;
            length += 1;
        }
        if length != rows.len() {
            return None;
        }
    }
    Some(rows)
}

/// Reads a number without checking the encoding of its text first, because there are thousands.
fn number(text: &[u8]) -> Option<i64> {
    let (sign, digits) = if let [b'-', digits @ ..] = text { (-1, digits) } else { (1, text) };
    let first = digits.first().filter(|digit| digit.is_ascii_digit())?;
    let add = |number: i64, digit: &u8| {
        let digit = sign * i64::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
        number.checked_mul(10)?.checked_add(digit)
    };
    digits[1..].iter().try_fold(sign * i64::from(first - b'0'), add)
}

fn unreadable() -> DbErr {
    DbErr::Type("the database returned something else than numbers".into())
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn columns_are_numbers_and_equally_long() {
        let read = |columns: [&str; 2]| rows(&columns.map(|text| Some(text.to_owned())));
        assert_eq!(read(["1,-22", "3,4"]), Some(vec![[1, 3], [-22, 4]]));
        assert_eq!(rows::<2>(&[None, None]), Some(Vec::new()));
        let ends = [i64::MIN, i64::MAX, 0];
        let text = ends.map(|number| number.to_string()).join(",");
        assert_eq!(rows(&[Some(text)]), Some(ends.map(|number| [number]).to_vec()));
        for columns in [
            ["1,2", "3"],
            ["1", "2,3"],
            ["1,x", "2,3"],
            ["1,,2", "3,4,5"],
            ["1.5", "2"],
            ["", ""],
            ["-", "1"],
            ["+1", "1"],
            ["1", "9223372036854775808"],
            ["-9223372036854775809", "1"],
        ] {
            assert_eq!(read(columns), None, "{columns:?}");
        }
        assert_eq!(rows(&[Some("1".to_owned()), None]), None);
    }
}
