//! A lock that only one process of an installation can hold, for work that must not run twice at the same time.

use std::fs::File;
use std::path::Path;
use std::str::FromStr;

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbErr, SqlxPostgresConnector, Statement};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::SqliteConnectOptions;

use crate::ConnectError;
use crate::connect::{KEEPALIVES, first_connection, try_lock_file};

/// The lock. It is released when it is dropped, and when the process or its machine ends.
///
/// On PostgreSQL it is an advisory lock of a separate connection, on SQLite a locked file beside the database.
pub struct ExclusiveLock(Held);

enum Held {
    File { _file: File },
    Connection(DatabaseConnection, i64),
}

impl ExclusiveLock {
    /// Takes the lock with this name, a word of lower-case letters. Returns `None` if it is taken.
    ///
    /// # Errors
    /// Fails if the database at the URL cannot be reached, or the file cannot be created.
    pub async fn try_take(url: &str, name: &str) -> Result<Option<Self>, ConnectError> {
        if url.starts_with("sqlite:") {
            let options = SqliteConnectOptions::from_str(url)?;
            let path = beside(options.get_filename(), name);
            return Ok(try_lock_file(&path).await?.map(|file| Self(Held::File { _file: file })));
        }
        let options = PgConnectOptions::from_str(url)
            .map_err(ConnectError::Url)?
            .application_name(&format!("vitrine {name}"))
            .options(KEEPALIVES);
        first_connection(&options).await?;
        // The only connection lives as long as the lock; a new one would not hold it.
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(options)
            .await?;
        let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
        let number = number(name);
        if is_true(&connection, "SELECT pg_try_advisory_lock($1)", number).await? {
            Ok(Some(Self(Held::Connection(connection, number))))
        } else {
            connection.close().await?;
            Ok(None)
        }
    }

    /// Returns whether the lock is still held. It is lost with the connection to PostgreSQL.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn is_held(&self) -> Result<bool, DbErr> {
        let Held::Connection(connection, number) = &self.0 else { return Ok(true) };
        let held = "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted \
                    AND pid = pg_backend_pid() AND (classid::bigint << 32) + objid::bigint = $1)";
        is_true(connection, held, *number).await
    }
}

/// Runs a statement with the number of the lock.
async fn is_true(connection: &DatabaseConnection, sql: &str, number: i64) -> Result<bool, DbErr> {
    let backend = connection.get_database_backend();
    let statement = Statement::from_sql_and_values(backend, sql, [number.into()]);
    let row = connection.query_one_raw(statement).await?;
    row.map_or(Ok(false), |row| row.try_get_by_index(0))
}

/// Returns the number of an advisory lock: a small one, which no random part of an id has.
fn number(name: &str) -> i64 {
    name.bytes().fold(0, |number, byte| (number * 31 + i64::from(byte)) % 0x7fff_ffff)
}

/// Returns the path of the locked file.
fn beside(database: &Path, name: &str) -> std::path::PathBuf {
    database.with_extension(format!("{name}.lock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_lock_is_not_that_of_the_database() {
        assert_eq!(beside(Path::new("/d/vitrine.db"), "backup"), Path::new("/d/vitrine.backup.lock"));
    }
}
