//! Values of columns: partial updates, and text that may be absent.

use kernel::Patch;
use sea_orm::ActiveValue;

/// Returns `Set` for a value that was sent and `NotSet` for one that was not, which leaves the column
/// unchanged.
pub fn set_if_some<T: Into<sea_orm::Value>>(value: Option<T>) -> ActiveValue<T> {
    value.map_or(ActiveValue::NotSet, ActiveValue::Set)
}

/// Returns the value of a text column that stores an absent value as an empty text.
pub fn none_if_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// Returns the text to store in such a column.
pub fn empty_if_none(value: Option<String>) -> String {
    value.unwrap_or_default()
}

/// Returns such a column of a partial update: unchanged, emptied, or set to the text.
pub fn set_text(change: Patch<String>) -> ActiveValue<String> {
    set_if_some(change.or_null(String::new()))
}

/// Returns a nullable column of a partial update: unchanged, NULL, or set to the value.
pub fn set_nullable<T>(change: Patch<T>) -> ActiveValue<Option<T>>
where
    Option<T>: Into<sea_orm::Value>,
{
    match change {
        Patch::Absent => ActiveValue::NotSet,
        Patch::Null => ActiveValue::Set(None),
        Patch::Value(value) => ActiveValue::Set(Some(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_value_is_stored_as_an_empty_text() {
        for (text, value) in [("", None), ("a", Some("a".to_owned()))] {
            assert_eq!(none_if_empty(text.to_owned()), value);
            assert_eq!(empty_if_none(value), text);
        }
    }
}
