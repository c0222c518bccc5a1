//! Reading what the engines say when a constraint stops a write.

use sea_orm::{DbErr, SqlErr};

/// Whether the write was stopped by a unique index or primary key.
pub fn is_unique_violation(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}
