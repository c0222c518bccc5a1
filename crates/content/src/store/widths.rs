//! The widths in which images and posters are stored besides their own, as text.

use std::fmt::Display;

use sea_orm::DbErr;

/// Returns the text of a column, such as `320,640`.
pub fn text(widths: &[u32]) -> String {
    widths.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// Reads a column.
///
/// # Errors
/// If [`text`] did not write it; the row is logged.
pub fn parse(
    table: &'static str,
    column: &'static str,
    row: impl Display,
    stored: &str,
) -> Result<Vec<u32>, DbErr> {
    let widths = stored.split(',').filter(|width| !width.is_empty()).map(str::parse);
    widths.collect::<Result<_, _>>().map_err(|_| db::unreadable(table, column, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_read_back_and_one_that_cannot_be_read_is_not_left_out() {
        for widths in [&[][..], &[320], &[320, 640]] {
            assert_eq!(parse("image", "widths", "a", &text(widths)).unwrap(), widths);
        }
        assert!(parse("image", "widths", "a", "320,wide").is_err());
    }
}
