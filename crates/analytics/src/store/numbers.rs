//! Many rows of numbers, read as one text: with SQLite, every row of a result is handed from the thread of the connection to
//! the caller, which takes longer than to read its numbers.

use kernel::Uid;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, Value};

/// Returns rows of numbers, none of which may be null, in no order. `rest` is what follows the columns of a SELECT.
pub async fn select<const N: usize>(
    conn: &impl ConnectionTrait,
    columns: [&str; N],
    rest: &str,
    values: Vec<Value>,
) -> Result<Vec<[i64; N]>, DbErr> {
    let text = text(conn, &columns.join(" || ' ' || "), rest, values).await?;
    text.iter().flat_map(|text| text.split(',')).map(|row| numbers(row).ok_or_else(unreadable)).collect()
}

/// Returns rows of an id and numbers.
pub async fn select_by_id<const N: usize>(
    conn: &impl ConnectionTrait,
    (id, columns): (&str, [&str; N]),
    rest: &str,
    values: Vec<Value>,
) -> Result<Vec<(Uid, [i64; N])>, DbErr> {
    let id = match conn.get_database_backend() {
        DbBackend::Sqlite => format!("hex({id})"),
        _ => format!("CAST({id} AS text)"),
    };
    let text = text(conn, &format!("{id} || ' ' || {}", columns.join(" || ' ' || ")), rest, values).await?;
    let row = |row: &str| {
        let (id, rest) = row.split_once(' ')?;
        Some((id.parse().ok()?, numbers(rest)?))
    };
    text.iter().flat_map(|text| text.split(',')).map(|text| row(text).ok_or_else(unreadable)).collect()
}

async fn text(
    conn: &impl ConnectionTrait,
    row: &str,
    rest: &str,
    values: Vec<Value>,
) -> Result<Option<String>, DbErr> {
    let sql = format!("SELECT string_agg({row}, ',') {rest}");
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    conn.query_one_raw(statement).await?.map_or(Ok(None), |row| row.try_get_by_index(0))
}

fn numbers<const N: usize>(text: &str) -> Option<[i64; N]> {
    let (mut numbers, mut parts) = ([0; N], text.split(' '));
    for number in &mut numbers {
        *number = parts.next()?.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

fn unreadable() -> DbErr {
    DbErr::Type("the database returned something else than numbers".into())
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn a_row_has_the_expected_numbers_only() {
        assert_eq!(numbers("1 -22 3"), Some([1, -22, 3]));
        for text in ["", "1 2", "1 2 3 4", "1 x 3", "1  3", "1 2.5 3"] {
            assert_eq!(numbers::<3>(text), None, "{text}");
        }
    }
}
