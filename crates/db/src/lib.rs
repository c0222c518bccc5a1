//! Where the differences between SQLite and PostgreSQL end.
//!
//! A room reads through [`Db::read`] and writes through [`Db::write_tx`]; nothing else opens a transaction.
//! On SQLite there is one writer connection (`BEGIN IMMEDIATE`, `synchronous=FULL`) beside a read-only pool;
//! on PostgreSQL both are one pool, and a transaction on an organisation takes an advisory lock in its name,
//! so that rules across rows (last super admin, four pins, quota) hold on both engines.

mod columns;
mod connect;
mod errors;
mod health;
mod migrate;
pub mod rows;
pub mod search;
mod turns;
mod tx;

use std::sync::Arc;

use kernel::Uid;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait,
};
use tokio::sync::OwnedMutexGuard;
use tracing::Instrument as _;

pub use columns::sent;
pub use connect::{ConnectError, ConnectOptions, Engine};
pub use errors::{Outage, is_unique_violation, outage};
pub use health::WriteHealth;
pub use migrate::{Migration, migrate};
pub use tx::WriteTx;

use health::Failures;
use turns::Turns;

/// The database of this process. Cloning is cheap.
#[derive(Clone)]
pub struct Db {
    engine: Engine,
    read: DatabaseConnection,
    write: DatabaseConnection,
    failures: Arc<Failures>,
    turns: Arc<Turns>,
}

impl Db {
    /// Opens `sqlite://path` or `postgres://…`.
    ///
    /// # Errors
    /// When the address cannot be read, the server cannot be reached, the file is held by another process,
    /// or the SQLite library is one that can corrupt a WAL database.
    pub async fn connect(url: &str) -> Result<Self, ConnectError> {
        Self::connect_with(url, ConnectOptions::default()).await
    }

    /// The same with options of one's own.
    ///
    /// # Errors
    /// As [`Db::connect`].
    pub async fn connect_with(url: &str, options: ConnectOptions) -> Result<Self, ConnectError> {
        connect::connect(url, options).await
    }

    /// Which engine it is, for the few statements that must differ.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The connection for reads outside a transaction. On SQLite it refuses to write.
    pub fn read(&self) -> &DatabaseConnection {
        &self.read
    }

    /// Begins a transaction that will write.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn write_tx(&self) -> Result<WriteTx, DbErr> {
        self.begin(None).await
    }

    /// Begins a transaction that will write and holds off every other one on the same subject (an
    /// organisation, a billing account, a person) until it ends.
    ///
    /// # Errors
    /// When the database cannot be reached, or when another transaction holds the subject for more than 5 s.
    pub async fn write_tx_on(&self, subject: Uid) -> Result<WriteTx, DbErr> {
        let turn = match self.engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(self.turns.wait(subject).await?),
        };
        let tx = self.begin(turn).await?;
        tx.lock(subject).await?;
        Ok(tx)
    }

    async fn begin(&self, turn: Option<OwnedMutexGuard<()>>) -> Result<WriteTx, DbErr> {
        let begun = match self.engine {
            Engine::Sqlite => begin(self.write.clone()).await,
            // A task of its own: a request that ends while BEGIN is under way could otherwise give the connection back
            // inside a transaction, open until its time in PostgreSQL is over.
            Engine::Postgres => tokio::spawn(begin(self.write.clone()).in_current_span())
                .await
                .unwrap_or_else(|error| Err(DbErr::Custom(error.to_string()))),
        };
        match begun {
            Ok(tx) => Ok(WriteTx::new(tx, Arc::clone(&self.failures), turn)),
            Err(error) => {
                if !matches!(error, DbErr::ConnectionAcquire(_)) {
                    self.failures.broke();
                }
                tx::note(&self.failures, &error);
                Err(error)
            }
        }
    }

    /// Returns how the last write of this process ended.
    pub fn write_health(&self) -> WriteHealth {
        self.failures.health()
    }

    /// Writes a row and reads it back, to find out whether writing works again. `now` goes into the row.
    ///
    /// # Errors
    /// When it does not.
    pub async fn probe_write(&self, now: i64) -> Result<(), DbErr> {
        let backend = self.read.get_database_backend();
        let tx = self.write_tx().await?;
        let write = "INSERT INTO write_probe (id, written_at) VALUES (1, $1) \
                     ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at";
        tx.execute_raw(Statement::from_sql_and_values(backend, write, [now.into()])).await?;
        tx.commit().await?;
        let read = Statement::from_string(backend, "SELECT written_at FROM write_probe WHERE id = 1");
        let found =
            self.read.query_one_raw(read).await?.map(|row| row.try_get_by_index::<i64>(0)).transpose()?;
        // Another server may have written meanwhile on PostgreSQL.
        match found {
            Some(at) if at == now || self.engine == Engine::Postgres => Ok(()),
            _ => {
                self.failures.refused(Outage::Unavailable);
                Err(DbErr::Custom("a row that was written cannot be read".to_owned()))
            }
        }
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), DbErr> {
        self.read.ping().await?;
        self.write.ping().await
    }

    /// Closes all connections; on SQLite this also empties the write-ahead log into the file.
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
