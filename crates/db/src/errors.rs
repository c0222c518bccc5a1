//! Classifies the errors of both engines.

use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr, SqlErr};

/// Returns `true` if the write violated a unique index or primary key.
pub fn is_unique_violation(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

/// Temporary reason for which the database rejects a statement that is otherwise valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// The disk is full.
    Full,
    /// The disk or the server has failed.
    Unavailable,
    /// A connection or a lock did not become available in time.
    Busy,
}

/// Returns the kind of outage behind an error, or `None` if the statement itself is at fault.
pub fn outage(error: &DbErr) -> Option<Outage> {
    match error {
        DbErr::ConnectionAcquire(ConnAcquireErr::Timeout) => Some(Outage::Busy),
        DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed) => Some(Outage::Unavailable),
        DbErr::Conn(RuntimeErr::SqlxError(error))
        | DbErr::Exec(RuntimeErr::SqlxError(error))
        | DbErr::Query(RuntimeErr::SqlxError(error)) => driver_outage(error),
        _ => None,
    }
}

fn driver_outage(error: &sqlx::Error) -> Option<Outage> {
    match error {
        sqlx::Error::Database(error) => {
            let code = error.code()?;
            match error.try_downcast_ref::<sqlx::sqlite::SqliteError>() {
                Some(_) => sqlite_outage(code.parse().ok()?),
                None => postgres_outage(&code),
            }
        }
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::BeginFailed => Some(Outage::Unavailable),
        sqlx::Error::PoolTimedOut => Some(Outage::Busy),
        _ => None,
    }
}

/// Classifies a SQLite result code by its low byte, the primary code.
fn sqlite_outage(code: i32) -> Option<Outage> {
    use libsqlite3_sys as sqlite;
    match code & 0xff {
        sqlite::SQLITE_FULL => Some(Outage::Full),
        sqlite::SQLITE_IOERR | sqlite::SQLITE_CANTOPEN | sqlite::SQLITE_READONLY | sqlite::SQLITE_NOMEM => {
            Some(Outage::Unavailable)
        }
        sqlite::SQLITE_BUSY | sqlite::SQLITE_LOCKED | sqlite::SQLITE_INTERRUPT => Some(Outage::Busy),
        _ => None,
    }
}

/// Classifies a PostgreSQL SQLSTATE, whose first two characters are the class.
fn postgres_outage(code: &str) -> Option<Outage> {
    match code {
        "53100" => Some(Outage::Full),
        // A statement, a lock or an idle transaction took too long; two transactions deadlocked.
        "55P03" | "57014" | "25P03" | "40001" | "40P01" => Some(Outage::Busy),
        // A standby is read-only; a server is starting, shutting down or has a broken disk.
        "25006" | "57P01" | "57P02" | "57P03" | "58030" => Some(Outage::Unavailable),
        _ if code.starts_with("08") || code.starts_with("53") => Some(Outage::Unavailable),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_both_engines_are_classified() {
        assert_eq!(sqlite_outage(13), Some(Outage::Full));
        // SQLITE_IOERR_FSYNC and SQLITE_IOERR_WRITE.
        assert_eq!(
            (sqlite_outage(1034), sqlite_outage(778)),
            (Some(Outage::Unavailable), Some(Outage::Unavailable))
        );
        assert_eq!((sqlite_outage(5), sqlite_outage(517)), (Some(Outage::Busy), Some(Outage::Busy)));
        // A violated constraint and a syntax error are the caller's fault.
        assert_eq!((sqlite_outage(2067), sqlite_outage(1)), (None, None));
        assert_eq!(postgres_outage("53100"), Some(Outage::Full));
        assert_eq!(postgres_outage("55P03"), Some(Outage::Busy));
        assert_eq!(
            (postgres_outage("08006"), postgres_outage("53300")),
            (Some(Outage::Unavailable), Some(Outage::Unavailable))
        );
        assert_eq!((postgres_outage("23505"), postgres_outage("42P01")), (None, None));
    }
}
