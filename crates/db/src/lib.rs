#![doc = include_str!("../README.md")]

mod columns;
mod connect;
mod errors;
mod health;
mod migrate;
pub mod rows;
pub mod search;
mod stored;
mod subject_queue;
mod tx;

use std::sync::Arc;

use kernel::{Timestamp, Uid};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait,
};
use tokio::sync::OwnedMutexGuard;
use tracing::Instrument as _;

pub use columns::{empty_if_none, none_if_empty, set_if_some, set_text};
pub use connect::{ConnectError, ConnectOptions, Engine};
pub use errors::{Outage, is_unique_violation, outage};
pub use health::WriteHealth;
pub use migrate::{MigrateError, Migration, index, is_new, migrate};
pub use stored::{Stored, log_unreadable, unreadable};
pub use tx::WriteTx;

use health::Failures;
use subject_queue::SubjectQueues;

/// Handle to the database of this process. Cloning is cheap.
#[derive(Clone)]
pub struct Db {
    engine: Engine,
    read: DatabaseConnection,
    write: DatabaseConnection,
    failures: Arc<Failures>,
    queues: Arc<SubjectQueues>,
}

impl Db {
    /// Opens `sqlite://path` or `postgres://…` with default options.
    ///
    /// # Errors
    /// Fails if the URL is invalid, the server cannot be reached, another process holds the file, or the
    /// SQLite library is a version that can corrupt a WAL database.
    pub async fn connect(url: &str) -> Result<Self, ConnectError> {
        Self::connect_with(url, ConnectOptions::default()).await
    }

    /// Opens the database with the given options.
    ///
    /// # Errors
    /// Fails in the same cases as [`Db::connect`].
    pub async fn connect_with(url: &str, options: ConnectOptions) -> Result<Self, ConnectError> {
        connect::connect(url, options).await
    }

    /// Returns the engine, for the few statements that must differ.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Returns the connection for reads outside a transaction. On SQLite it is read-only.
    pub fn read(&self) -> &DatabaseConnection {
        &self.read
    }

    /// Begins a write transaction.
    ///
    /// # Errors
    /// Fails if the database cannot be reached.
    pub async fn write_tx(&self) -> Result<WriteTx, DbErr> {
        self.begin(None).await
    }

    /// Begins a write transaction that excludes every other one on the same subject (an organisation, a
    /// billing account, a person) until it ends.
    ///
    /// # Errors
    /// Fails if the database cannot be reached, or if another transaction holds the subject for more than 5
    /// s.
    pub async fn write_tx_on(&self, subject: impl Into<Uid>) -> Result<WriteTx, DbErr> {
        let subject = subject.into();
        let queue_guard = match self.engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(self.queues.wait(subject).await?),
        };
        let tx = self.begin(queue_guard).await?;
        tx.lock(subject).await?;
        Ok(tx)
    }

    async fn begin(&self, queue_guard: Option<OwnedMutexGuard<()>>) -> Result<WriteTx, DbErr> {
        let result = match self.engine {
            Engine::Sqlite => begin(self.write.clone()).await,
            // Runs in a separate task: a request that is cancelled while BEGIN is under way could otherwise
            // return the connection to the pool inside a transaction, which would stay open until PostgreSQL
            // times it out.
            Engine::Postgres => tokio::spawn(begin(self.write.clone()).in_current_span())
                .await
                .unwrap_or_else(|error| Err(DbErr::Custom(error.to_string()))),
        };
        match result {
            Ok(tx) => Ok(WriteTx::new(tx, Arc::clone(&self.failures), queue_guard)),
            Err(error) => {
                if !matches!(error, DbErr::ConnectionAcquire(_)) {
                    self.failures.record_failed_transaction();
                }
                tx::record_if_outage(&self.failures, &error);
                Err(error)
            }
        }
    }

    /// Returns the outcome of this process's last write.
    pub fn write_health(&self) -> WriteHealth {
        self.failures.health()
    }

    /// Writes a row containing `now` and reads it back, to find out whether writing works again.
    ///
    /// # Errors
    /// Fails if the row cannot be written or read.
    pub async fn probe_write(&self, now: Timestamp) -> Result<(), DbErr> {
        let backend = self.read.get_database_backend();
        let tx = self.write_tx().await?;
        let write = "INSERT INTO write_probe (id, written_at) VALUES (1, $1) \
                     ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at";
        tx.execute_raw(Statement::from_sql_and_values(backend, write, [now.into()])).await?;
        tx.commit().await?;
        let read = Statement::from_string(backend, "SELECT written_at FROM write_probe WHERE id = 1");
        let found = self
            .read
            .query_one_raw(read)
            .await?
            .map(|row| row.try_get_by_index::<Timestamp>(0))
            .transpose()?;
        // On PostgreSQL another server may have overwritten the row since.
        match found {
            Some(at) if at == now || self.engine == Engine::Postgres => Ok(()),
            _ => {
                self.failures.record_outage(Outage::Unavailable);
                Err(DbErr::Custom("a row that was just written cannot be read".to_owned()))
            }
        }
    }

    /// Checks that the database responds.
    ///
    /// # Errors
    /// Fails if it does not.
    pub async fn ping(&self) -> Result<(), DbErr> {
        self.read.ping().await?;
        self.write.ping().await
    }

    /// Closes all connections. On SQLite this also checkpoints the write-ahead log into the database file.
    pub async fn close(self) {
        for connection in [self.read, self.write] {
            if let Err(error) = connection.close().await {
                tracing::warn!(%error, "closing the database failed");
            }
        }
    }
}

async fn begin(connection: DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}
