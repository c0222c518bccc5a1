//! Columns of a change.

use sea_orm::ActiveValue;

/// A column that was sent is set, one that was not stays.
pub fn sent<T: Into<sea_orm::Value>>(value: Option<T>) -> ActiveValue<T> {
    value.map_or(ActiveValue::NotSet, ActiveValue::Set)
}
