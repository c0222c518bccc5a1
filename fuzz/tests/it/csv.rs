//! CSV files: the server writes them, spreadsheets read them.

use fuzz::{bounded, check, check_bytes};
use httpkit::fuzzing::csv_rows;
use proptest::prelude::*;

use crate::line;

const TOKENS: &[&[u8]] = &[
    b"|",
    b"=",
    b"+",
    b"-",
    b"@",
    b"\"",
    b"\"\"",
    b"'",
    b",",
    b";",
    b"\t",
    b"\r",
    b"\n",
    b"\r\n",
    b" ",
    b"=1+1",
    b"+44 20",
    b"\xef\xbb\xbf",
    b"\xc2\xa0",
    "＝".as_bytes(),
    "＠".as_bytes(),
    b"\xff",
];

/// What begins a formula, with the full-width forms.
const FORMULA: &str = "=+-@＝＋－＠";
/// What a spreadsheet skips before it looks for a formula.
const SKIPPED: [char; 4] = ['"', ' ', '\u{a0}', '\u{feff}'];
/// What begins a cell inside a cell: the separators of other dialects, and line ends.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

type Row = [String; 2];

/// Two columns; a bar in the input separates cells.
fn rows_of(input: &[u8]) -> Vec<Row> {
    let text = String::from_utf8_lossy(line(input)).into_owned();
    let cells: Vec<&str> = text.split('|').collect();
    cells.chunks(2).map(|pair| [pair[0].to_owned(), pair.get(1).copied().unwrap_or("").to_owned()]).collect()
}

#[test]
fn any_text_is_read_back_and_no_part_of_it_is_a_formula() {
    check_bytes("csv", TOKENS, |bytes| {
        let rows = rows_of(bytes);
        let input = rows.clone();
        let file = bounded(bytes.len(), || csv_rows(input));
        let size: usize = rows.iter().flatten().map(String::len).sum();
        assert!(file.len() <= 2 * size + rows.len() * "\"\",\"\"''\r\n".len(), "{} bytes", file.len());
        check_file(&rows, std::str::from_utf8(&file).unwrap());
    });
}

#[test]
fn rows_of_likely_cells_are_read_back() {
    let cell = "[=+@'\"; \t\r\n,0-9aé＝－\u{a0}\u{feff}-]{0,12}";
    let rows = proptest::collection::vec([cell, cell].prop_map(|[a, b]| [a, b]), 0..6);
    check("csv: rows", rows, |rows| {
        check_file(rows, std::str::from_utf8(&csv_rows(rows.clone())).unwrap());
    });
}

#[test]
fn plain_phone_numbers_are_written_as_they_are() {
    check("csv: phone numbers", "\\+[0-9][0-9 ]{0,20}", |number| {
        assert_eq!(csv_rows([[number.clone()]]), format!("\"{number}\"\r\n").into_bytes());
    });
}

fn check_file(rows: &[Row], file: &str) {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(file.as_bytes());
    let written: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(written.len(), rows.len(), "{file}");
    for (record, row) in written.iter().zip(rows) {
        assert_eq!(record.len(), row.len(), "{file}");
        for (cell, original) in record.iter().zip(row) {
            assert!(!is_formula(cell), "{cell:?}");
            assert_only_apostrophes_were_added(cell, original);
        }
    }
    // A program that separates elsewhere, and does not know these quotes.
    for part in file.split(SEPARATORS) {
        assert!(!is_formula(part), "{part:?} in {file:?}");
    }
}

/// Returns whether a spreadsheet may evaluate a cell. It does not evaluate a phone number.
fn is_formula(cell: &str) -> bool {
    let text = cell.trim_start_matches(SKIPPED);
    let first = text.split('"').next().unwrap_or_default();
    let is_phone_number = first.strip_prefix('+').is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit()) && rest.chars().all(|c| c.is_ascii_digit() || c == ' ')
    });
    text.starts_with(|c| FORMULA.contains(c)) && !is_phone_number
}

/// Fails unless the cell is the original with an apostrophe before each formula.
fn assert_only_apostrophes_were_added(cell: &str, original: &str) {
    let mut written = cell.chars().peekable();
    let mut before = None;
    for (at, c) in original.char_indices() {
        if written.peek() == Some(&'\'') && c != '\'' {
            written.next();
            let rest = &original[at..];
            assert!(before.is_none_or(|before| SEPARATORS.contains(&before)), "{cell:?} of {original:?}");
            let is_formula = rest.trim_start_matches(SKIPPED).starts_with(|c| FORMULA.contains(c));
            assert!(is_formula || rest.starts_with(['\t', '\r']), "{cell:?} of {original:?}");
        }
        assert_eq!(written.next(), Some(c), "{cell:?} of {original:?}");
        before = Some(c);
    }
    assert_eq!(written.next(), None, "{cell:?} of {original:?}");
}
