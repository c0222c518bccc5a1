//! Results of checks of the stored data.

use serde::{Deserialize, Serialize};

/// An inconsistency in the stored data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The stable name of the check, in `snake_case`.
    pub check: String,
    /// The table name, or `storage`.
    pub table: String,
    /// The id of the row, or the key of the stored object.
    pub id: String,
    /// What is wrong, in plain words.
    pub what: String,
}

impl Finding {
    /// Creates a finding about one row or stored object.
    pub fn new(check: &str, table: &str, id: impl ToString, what: impl Into<String>) -> Self {
        Self { check: check.to_owned(), table: table.to_owned(), id: id.to_string(), what: what.into() }
    }
}
