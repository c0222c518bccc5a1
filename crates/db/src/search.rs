//! Case-insensitive search and sorting of titles. SQLite lowers ASCII only and PostgreSQL depends on its
//! locale, so titles are folded here and the result is stored beside the title.

use kernel::Uid;
use sea_orm::sea_query::LikeExpr;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement};

/// Rows read at a time by [`fill`].
const CHUNK: i64 = 500;

/// Returns the text in lower case, for every script.
pub fn folded(text: &str) -> String {
    // Character by character: `str::to_lowercase` would turn a capital sigma at the end of a word into `ς`.
    text.chars().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

/// Returns a LIKE expression for folded columns that contain `part`. Wildcards in `part` are matched
/// literally.
pub fn contains(part: &str) -> LikeExpr {
    LikeExpr::new(pattern(part)).escape('\\')
}

/// Returns the same pattern as text, for the right side of `LIKE .. ESCAPE '\'`.
pub fn pattern(part: &str) -> String {
    let literal: String = folded(part)
        .chars()
        .flat_map(|c| "%_\\".contains(c).then_some('\\').into_iter().chain([c]))
        .collect();
    format!("%{literal}%")
}

#[derive(FromQueryResult)]
struct TitleRow {
    uid: Uid,
    title: String,
}

/// Fills `title_folded` in every row of a table with `uid` and `title`, for the migration that adds the
/// column.
pub async fn fill(conn: &impl ConnectionTrait, table: &'static str) -> Result<(), DbErr> {
    let backend = conn.get_database_backend();
    let read = format!("SELECT uid, title FROM {table} WHERE uid > $1 ORDER BY uid LIMIT $2");
    let write = format!("UPDATE {table} SET title_folded = $1 WHERE uid = $2");
    let mut after = Uid::nil();
    loop {
        let values = [after.into(), CHUNK.into()];
        let page = Statement::from_sql_and_values(backend, read.as_str(), values);
        let rows = TitleRow::find_by_statement(page).all(conn).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.uid;
        for row in rows {
            let values = [folded(&row.title).into(), row.uid.into()];
            conn.execute_raw(Statement::from_sql_and_values(backend, write.as_str(), values)).await?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{folded, pattern};

    #[test]
    fn wildcards_in_a_search_are_matched_literally() {
        assert_eq!(pattern("50%_É"), "%50\\%\\_é%");
    }

    #[test]
    fn capitals_of_every_script_are_folded() {
        assert_eq!(folded("ÉTÉ Über ЖУК"), "été über жук");
        assert_eq!(folded("ΟΔΟΣ"), folded("οδος"));
        assert!(folded("ΟΔΟΣΑ").contains(&folded("ΟΔΟΣ")));
    }
}
