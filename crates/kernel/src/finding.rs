//! What a check of the stored data found.

use serde::{Deserialize, Serialize};

/// Something in the stored data that should not be so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The check's stable name, in snake_case.
    pub check: String,
    /// The table, or `storage`.
    pub table: String,
    /// The id of the row, or the key of the object.
    pub id: String,
    /// What is wrong, in words.
    pub what: String,
}

impl Finding {
    /// Describes what is wrong with a row.
    pub fn new(check: &str, table: &str, id: impl ToString, what: impl Into<String>) -> Self {
        Self { check: check.to_owned(), table: table.to_owned(), id: id.to_string(), what: what.into() }
    }
}
