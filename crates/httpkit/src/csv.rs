//! CSV files, written row by row while the client reads.

use axum::BoxError;
use axum::body::{Body, Bytes};
use axum::response::{IntoResponse as _, Response};
use csv::{QuoteStyle, Terminator, WriterBuilder};
use futures::{Stream, StreamExt as _};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

/// Characters that begin a formula in a spreadsheet, with their full-width forms.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Returns a CSV file with the given header. The pages are read one after the other, at the speed of the client;
/// an error ends the connection, so that the client does not take a part for the whole.
pub fn csv_file<const N: usize, E: Into<BoxError> + 'static>(
    name: &str,
    header: [&'static str; N],
    pages: impl Stream<Item = Result<Vec<[String; N]>, E>> + Send + 'static,
) -> Response {
    // With the mark, spreadsheets read the file as UTF-8.
    let first = [b"\xef\xbb\xbf".to_vec(), rows([header.map(str::to_owned)])].concat();
    let rest = pages.map(|page| page.map(|page| Bytes::from(rows(page))).map_err(Into::into));
    let body = futures::stream::once(async { Ok::<Bytes, BoxError>(first.into()) }).chain(rest);
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, Body::from_stream(body)).into_response()
}

/// Formats rows as RFC 4180, every cell in quotes.
pub fn rows<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> Vec<u8> {
    let mut writer = WriterBuilder::new()
        .quote_style(QuoteStyle::Always)
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    for row in rows {
        // Writing to memory cannot fail, and all rows have the same length.
        let _ = writer.write_record(row.map(|cell| text_cell(&cell)));
    }
    writer.into_inner().unwrap_or_default()
}

/// Returns a cell that no spreadsheet takes for a formula: an apostrophe precedes what would begin one. A program
/// that separates at semicolons or tabs begins cells there as well.
fn text_cell(cell: &str) -> String {
    if is_plain_phone_number(cell) {
        return cell.to_owned();
    }
    let mut safe = String::with_capacity(cell.len() + 1);
    let mut starts_cell = true;
    for (at, c) in cell.char_indices() {
        if starts_cell && begins_formula(&cell[at..]) {
            safe.push('\'');
        }
        starts_cell = matches!(c, ';' | '\t' | '\r' | '\n');
        safe.push(c);
    }
    safe
}

/// Returns whether a cell with this text may be a formula, in quotes or behind spaces. Text after a tab or a line
/// break is checked where it begins.
fn begins_formula(text: &str) -> bool {
    text.starts_with(['\t', '\r'])
        || text.trim_start_matches(['"', ' ', '\u{a0}', '\u{feff}']).starts_with(FORMULA)
}

/// Returns whether the text is a plain phone number, which no spreadsheet evaluates: digits and spaces after a plus.
fn is_plain_phone_number(text: &str) -> bool {
    text.strip_prefix('+').is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit()) && rest.chars().all(|c| c.is_ascii_digit() || c == ' ')
    })
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    fn file(cells: &[&str]) -> String {
        String::from_utf8(rows(cells.iter().map(|cell| [(*cell).to_owned()]))).unwrap()
    }

    #[test]
    fn every_cell_is_quoted_and_quotes_are_doubled() {
        assert_eq!(file(&["", "a,b", "a\"b", "é"]), "\"\"\r\n\"a,b\"\r\n\"a\"\"b\"\r\n\"é\"\r\n");
    }

    #[test]
    fn no_cell_begins_a_formula_whatever_the_separator() {
        for (cell, safe) in [
            ("=1+1", "'=1+1"),
            ("+1-212-555-0100", "'+1-212-555-0100"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("＝1+1", "'＝1+1"),
            ("\t=1", "'\t'=1"),
            (" =1", "' =1"),
            ("x;=1", "x;'=1"),
            ("x;\"=1\"", "x;'\"=1\""),
            ("x\n-1\r+2\t@3", "x\n'-1\r'+2\t'@3"),
        ] {
            assert_eq!(text_cell(cell), safe, "{cell}");
        }
        for cell in ["+44 20 7946 0958", "1+1", "a=b", "x;y"] {
            assert_eq!(text_cell(cell), cell);
        }
        assert_eq!((text_cell("-").as_str(), text_cell("+").as_str()), ("'-", "'+"));
    }

    #[tokio::test]
    async fn a_failed_page_ends_the_body_with_an_error() {
        let pages = futures::stream::iter([Ok(vec![["1".to_owned()]]), Err("gone")]);
        let mut body = csv_file("a.csv", ["n"], pages).into_body();
        let mut text = Vec::new();
        let failed = loop {
            match body.frame().await {
                Some(Ok(frame)) => text.extend(frame.into_data().unwrap()),
                Some(Err(_)) => break true,
                None => break false,
            }
        };
        assert!(failed);
        assert_eq!(text, b"\xef\xbb\xbf\"n\"\r\n\"1\"\r\n");
    }
}
