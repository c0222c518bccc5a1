//! A view of the whole database as it was at one moment, for backups.

use std::str::FromStr;
use std::time::Duration;

use sea_orm::{
    AccessMode, ConnectionTrait as _, DatabaseConnection, DatabaseTransaction, DbErr, IsolationLevel,
    SqlxPostgresConnector, SqlxSqliteConnector, Statement, TransactionTrait as _,
};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

use crate::connect::first_connection;
use crate::{ConnectError, Engine};

/// A read-only transaction on a separate connection. Writers are not blocked, and what they write is not
/// visible in it. It also works while another process has the SQLite file open.
pub struct Snapshot {
    engine: Engine,
    connection: DatabaseConnection,
    tx: DatabaseTransaction,
}

impl Snapshot {
    /// Opens the database at this URL as it is now. Creates nothing.
    ///
    /// # Errors
    /// Fails if the URL is invalid, there is no database, or it cannot be read.
    pub async fn open(url: &str) -> Result<Self, ConnectError> {
        if url.starts_with("sqlite:") {
            Self::sqlite(url).await
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            Self::postgres(url).await
        } else {
            Err(ConnectError::UnknownScheme(url.split(':').next().unwrap_or_default().to_owned()))
        }
    }

    async fn sqlite(url: &str) -> Result<Self, ConnectError> {
        let options = SqliteConnectOptions::from_str(url)?
            .create_if_missing(false)
            .read_only(true)
            .busy_timeout(Duration::from_secs(10));
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
        let connection = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool);
        let tx = connection.begin().await?;
        // SQLite takes the snapshot at the first read.
        let read = Statement::from_string(tx.get_database_backend(), "SELECT 1 FROM sqlite_master LIMIT 1");
        tx.query_one_raw(read).await?;
        Ok(Self { engine: Engine::Sqlite, connection, tx })
    }

    async fn postgres(url: &str) -> Result<Self, ConnectError> {
        // Reading a large table takes as long as it takes, whatever limits the server sets.
        let options = PgConnectOptions::from_str(url)
            .map_err(ConnectError::Url)?
            .application_name("vitrine backup")
            .options([("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0")]);
        first_connection(&options).await?;
        let pool = PgPoolOptions::new().max_connections(1).connect_with(options).await?;
        let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
        let (isolation, access) = (IsolationLevel::RepeatableRead, AccessMode::ReadOnly);
        let tx = connection.begin_with_config(Some(isolation), Some(access)).await?;
        // PostgreSQL takes the snapshot with the first statement.
        tx.query_one_raw(Statement::from_string(tx.get_database_backend(), "SELECT 1")).await?;
        Ok(Self { engine: Engine::Postgres, connection, tx })
    }

    /// Returns the engine.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Returns the transaction to read in.
    pub fn conn(&self) -> &DatabaseTransaction {
        &self.tx
    }

    /// Ends the transaction and closes the connection.
    ///
    /// # Errors
    /// Fails if the connection broke; what was read before is complete.
    pub async fn close(self) -> Result<(), DbErr> {
        self.tx.rollback().await?;
        self.connection.close().await
    }
}
