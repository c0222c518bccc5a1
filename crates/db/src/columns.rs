//! Columns of a partial update.

use sea_orm::ActiveValue;

/// Returns `Set` for a value that was sent and `NotSet` for one that was not, which leaves the column
/// unchanged.
pub fn set_if_some<T: Into<sea_orm::Value>>(value: Option<T>) -> ActiveValue<T> {
    value.map_or(ActiveValue::NotSet, ActiveValue::Set)
}
