//! Opens the database after checking that doing so cannot damage it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sea_orm::{DatabaseConnection, SqlxPostgresConnector, SqlxSqliteConnector};
use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::sqlite::{
    LockedSqliteHandle, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions,
    SqliteSynchronous,
};

use crate::Db;
use crate::health::Failures;

/// Read-only SQLite connections beside the single writer.
const SQLITE_READERS: u32 = 4;
/// Rows that a connection reads ahead of the task that takes them. While there is room, they need not wait for each other.
const SQLITE_ROW_BUFFER: usize = 1024;
/// Settings of each PostgreSQL session: limits on waiting for a lock, on a statement and on an idle
/// transaction.
const POSTGRES_SESSION: [(&str, &str); 3] =
    [("lock_timeout", "5s"), ("statement_timeout", "60s"), ("idle_in_transaction_session_timeout", "30s")];
/// Keepalives that release the locks of a server that vanished within half a minute.
pub(crate) const KEEPALIVES: [(&str, &str); 3] =
    [("tcp_keepalives_idle", "15"), ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3")];
/// First SQLite without the WAL-reset corruption (fixed in 3.51.3 and 3.53.0; 3.52.0 was withdrawn).
const SQLITE_FIRST_FIXED: i32 = 3_051_003;
const SQLITE_WITHDRAWN: i32 = 3_052_000;

/// What an engine may use.
#[derive(Clone, Copy, Debug)]
pub struct ConnectOptions {
    /// Total number of connections to PostgreSQL: three fifths for reads, the rest for writes.
    pub connections: u32,
    /// Mebibytes of the database that each connection to SQLite keeps in memory at most.
    pub cache_mb: u32,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self { connections: 20, cache_mb: 32 }
    }
}

/// The supported database engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// An embedded database in a local file.
    Sqlite,
    /// A database server.
    Postgres,
}

/// Reason the database could not be opened. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The URL starts with neither `sqlite://` nor `postgres://`.
    #[error("VITRINE_DATABASE_URL must begin with sqlite:// or postgres://, but is {0:?}")]
    UnknownScheme(String),
    /// The linked SQLite version can corrupt a database.
    #[error("SQLite {0} can corrupt a database in WAL mode; build with 3.51.3 or newer")]
    UnsoundSqlite(String),
    /// Another process holds the lock on the file.
    #[error("{0} is in use by another vitrine process; stop it, or use PostgreSQL to run several")]
    InUse(PathBuf),
    /// The lock file could not be created.
    #[error("cannot lock {0}: {1}")]
    Lock(PathBuf, std::io::Error),
    /// The URL of a PostgreSQL database cannot be read.
    #[error(
        "VITRINE_DATABASE_URL cannot be read: {0}. Characters such as / @ # ? in its user name or password must be \
         percent-encoded"
    )]
    Url(sqlx::Error),
    /// The PostgreSQL server cannot be reached.
    #[error(
        "PostgreSQL at {server} cannot be reached: {error}. Check VITRINE_DATABASE_URL, and that it runs there"
    )]
    Unreachable {
        /// Host and port, or the path of a socket.
        server: String,
        /// What the network said.
        error: std::io::Error,
    },
    /// The PostgreSQL server has no such database.
    #[error(
        "PostgreSQL at {server} has no database {database}. Create it with CREATE DATABASE \"{database}\""
    )]
    NoDatabase {
        /// Host and port.
        server: String,
        /// Name of the database.
        database: String,
    },
    /// The PostgreSQL server refuses this user.
    #[error("PostgreSQL at {server} refuses the user {user}: {message}. Check VITRINE_DATABASE_URL")]
    Refused {
        /// Host and port.
        server: String,
        /// Name of the user.
        user: String,
        /// What PostgreSQL said.
        message: String,
    },
    /// The driver failed to connect.
    #[error("cannot open the database: {0}")]
    Driver(#[from] sqlx::Error),
    /// The first statement failed.
    #[error("cannot read the database: {0}")]
    Read(#[from] sea_orm::DbErr),
}

pub(crate) async fn connect(url: &str, options: ConnectOptions) -> Result<Db, ConnectError> {
    if url.starts_with("sqlite:") {
        sqlite(url, options).await
    } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
        postgres(url, options).await
    } else {
        Err(ConnectError::UnknownScheme(url.split(':').next().unwrap_or_default().to_owned()))
    }
}

async fn sqlite(url: &str, options: ConnectOptions) -> Result<Db, ConnectError> {
    check_version()?;
    let base = SqliteConnectOptions::from_str(url)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10))
        .statement_cache_capacity(256)
        .row_buffer_size(SQLITE_ROW_BUFFER)
        // A negative number is KiB.
        .pragma("cache_size", format!("-{}", i64::from(options.cache_mb) << 10))
        .pragma("temp_store", "MEMORY");
    let lock = Arc::new(acquire_lock_file(base.get_filename()).await?);
    let failures = Arc::new(Failures::default());
    let trusted = Arc::clone(&failures);
    let writer = SqlitePoolOptions::new()
        .max_connections(1)
        .min_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(Duration::from_secs(30))
        .test_before_acquire(false)
        // The closure owns the lock, so the lock is held as long as the writer pool exists.
        .after_connect(move |_, _| {
            let _lock = Arc::clone(&lock);
            Box::pin(async { Ok(()) })
        })
        .before_acquire(move |connection, meta| {
            let is_trusted = trusted.trusts(meta.age);
            Box::pin(async move { Ok(is_trusted && is_outside_transaction(connection).await?) })
        })
        .connect_with(base.clone())
        .await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(SQLITE_READERS)
        .min_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .connect_with(base.create_if_missing(false).read_only(true))
        .await?;
    Ok(Db {
        engine: Engine::Sqlite,
        read: SqlxSqliteConnector::from_sqlx_sqlite_pool(readers),
        write: SqlxSqliteConnector::from_sqlx_sqlite_pool(writer),
        failures,
        queues: Arc::default(),
    })
}

/// Returns `true` if BEGIN on this connection would start a real transaction. After a failed ROLLBACK the
/// driver would create a savepoint instead, which is never committed.
async fn is_outside_transaction(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    if connection.is_in_transaction() {
        return Ok(false);
    }
    let mut handle = connection.lock_handle().await?;
    Ok(is_in_autocommit(&mut handle))
}

#[expect(unsafe_code, reason = "a C function that reads a flag of an open connection")]
fn is_in_autocommit(handle: &mut LockedSqliteHandle<'_>) -> bool {
    // SAFETY: the pointer belongs to an open connection, which the handle keeps locked until this returns.
    unsafe { libsqlite3_sys::sqlite3_get_autocommit(handle.as_raw_handle().as_ptr()) != 0 }
}

async fn postgres(url: &str, options: ConnectOptions) -> Result<Db, ConnectError> {
    let server = PgConnectOptions::from_str(url)
        .map_err(ConnectError::Url)?
        .application_name("vitrine")
        .options(POSTGRES_SESSION)
        .options(KEEPALIVES);
    first_connection(&server).await?;
    let failures = Arc::new(Failures::default());
    // Separate pools, so that writers waiting for each other never block readers.
    let readers = (options.connections * 3 / 5).max(1);
    let writers = options.connections.saturating_sub(readers).max(1);
    let read = pool(readers, server.clone(), &failures).await?;
    let write = pool(writers, server, &failures).await?;
    Ok(Db { engine: Engine::Postgres, read, write, failures, queues: Arc::default() })
}

/// How long to wait for a server that is still starting.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Connects once, because a pool reports each failure as its own timeout.
pub(crate) async fn first_connection(server: &PgConnectOptions) -> Result<(), ConnectError> {
    let started = Instant::now();
    loop {
        let error = match PgConnection::connect_with(server).await {
            Ok(connection) => return Ok(connection.close().await?),
            Err(error) => error,
        };
        let is_starting = match &error {
            sqlx::Error::Io(_) => true,
            sqlx::Error::Database(said) => said.code().is_some_and(|code| code == CANNOT_CONNECT_NOW),
            _ => false,
        };
        if !is_starting || started.elapsed() > START_TIMEOUT {
            return Err(explained(error, server));
        }
        tokio::time::sleep(START_TIMEOUT / 40).await;
    }
}

/// SQLSTATE of a server that starts or stops.
const CANNOT_CONNECT_NOW: &str = "57P03";

/// Says which server it was, and what it has refused.
fn explained(error: sqlx::Error, options: &PgConnectOptions) -> ConnectError {
    let server = options.get_socket().map_or_else(
        || format!("{}:{}", options.get_host(), options.get_port()),
        |socket| socket.display().to_string(),
    );
    match error {
        sqlx::Error::Io(error) => ConnectError::Unreachable { server, error },
        sqlx::Error::Database(said) => match said.code().as_deref() {
            Some("3D000") => {
                let database = options.get_database().unwrap_or_else(|| options.get_username()).to_owned();
                ConnectError::NoDatabase { server, database }
            }
            Some("28000" | "28P01") => ConnectError::Refused {
                server,
                user: options.get_username().to_owned(),
                message: said.message().to_owned(),
            },
            _ => ConnectError::Driver(sqlx::Error::Database(said)),
        },
        other => ConnectError::Driver(other),
    }
}

async fn pool(
    connections: u32,
    server: PgConnectOptions,
    failures: &Arc<Failures>,
) -> Result<DatabaseConnection, ConnectError> {
    let trusted = Arc::clone(failures);
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(10))
        .test_before_acquire(false)
        .before_acquire(move |connection, meta| {
            let is_trusted = trusted.trusts(meta.age) && !connection.is_in_transaction();
            Box::pin(async move { Ok(is_trusted) })
        })
        .connect_with(server)
        .await?;
    Ok(SqlxPostgresConnector::from_sqlx_postgres_pool(pool))
}

/// Rejects SQLite versions that can lose pages.
fn check_version() -> Result<(), ConnectError> {
    let number = sqlite_version_number();
    if number < SQLITE_FIRST_FIXED || number == SQLITE_WITHDRAWN {
        let text = format!("{}.{}.{}", number / 1_000_000, number / 1_000 % 1_000, number % 1_000);
        return Err(ConnectError::UnsoundSqlite(text));
    }
    Ok(())
}

#[expect(unsafe_code, reason = "a C function without arguments that returns a constant")]
fn sqlite_version_number() -> i32 {
    // SAFETY: sqlite3_libversion_number takes no arguments, has no side effects and may be called at any
    // time.
    unsafe { libsqlite3_sys::sqlite3_libversion_number() }
}

/// How long to retry when the lock is held: a process that was killed while spawning a tool leaves its lock
/// to the child until the tool's exec.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// Acquires the lock file next to the database, so that two processes never write the same file.
async fn acquire_lock_file(database: &Path) -> Result<File, ConnectError> {
    let locked = try_lock_file(&database.with_extension("lock")).await?;
    locked.ok_or_else(|| ConnectError::InUse(database.to_owned()))
}

/// Creates and locks a file. Returns `None` if another process holds the lock.
pub(crate) async fn try_lock_file(path: &Path) -> Result<Option<File>, ConnectError> {
    let failed = |error| ConnectError::Lock(path.to_owned(), error);
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(failed)?;
    let started = Instant::now();
    loop {
        match fs4::fs_std::FileExt::try_lock_exclusive(&file) {
            Ok(true) => return Ok(Some(file)),
            Ok(false) if started.elapsed() < LOCK_TIMEOUT => tokio::time::sleep(LOCK_TIMEOUT / 40).await,
            Ok(false) => return Ok(None),
            Err(error) => return Err(failed(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_url_that_cannot_be_read_says_what_to_encode() {
        let error = connect("postgres://v:pa/ss@db/vitrine", ConnectOptions::default()).await.err().unwrap();
        assert!(matches!(error, ConnectError::Url(_)), "{error}");
        assert!(error.to_string().contains("percent-encoded"), "{error}");
    }

    #[test]
    fn a_server_that_cannot_be_reached_is_named() {
        let options = PgConnectOptions::from_str("postgres://v:hush@db.example:6432/vitrine").unwrap();
        let error =
            explained(sqlx::Error::Io(std::io::ErrorKind::ConnectionRefused.into()), &options).to_string();
        assert_eq!(
            error,
            "PostgreSQL at db.example:6432 cannot be reached: connection refused. Check VITRINE_DATABASE_URL, and that \
             it runs there"
        );
    }
}
