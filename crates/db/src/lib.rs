//! Where the differences between SQLite and PostgreSQL end.
//!
//! A room reads through [`Db::read`] and writes through [`Db::write_tx`]; nothing else opens a transaction.
//! On SQLite there is one writer connection (`BEGIN IMMEDIATE`, `synchronous=FULL`) beside a read-only pool;
//! on PostgreSQL both are one pool, and a transaction on an organisation takes an advisory lock in its name,
//! so that rules across rows (last super admin, four pins, quota) hold on both engines.

mod columns;
mod connect;
mod errors;
mod migrate;
pub mod rows;
pub mod search;

use kernel::Uid;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};

pub use columns::sent;
pub use connect::{ConnectError, Engine};
pub use errors::is_unique_violation;
pub use migrate::{Migration, migrate};

/// The database of this process. Cloning is cheap.
#[derive(Clone)]
pub struct Db {
    engine: Engine,
    read: DatabaseConnection,
    write: DatabaseConnection,
}

impl Db {
    /// Opens `sqlite://path` or `postgres://…`.
    ///
    /// # Errors
    /// When the address cannot be read, the server cannot be reached, the file is held by another process,
    /// or the SQLite library is one that can corrupt a WAL database.
    pub async fn connect(url: &str) -> Result<Self, ConnectError> {
        connect::connect(url).await
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
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        Ok(WriteTx(self.write.begin_with_options(options).await?))
    }

    /// Begins a transaction that will write and holds off every other one on the same subject (an
    /// organisation, a billing account, a person) until it ends.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn write_tx_on(&self, subject: Uid) -> Result<WriteTx, DbErr> {
        let tx = self.write_tx().await?;
        tx.lock(subject).await?;
        Ok(tx)
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

/// A transaction that writes. Dropping it without [`WriteTx::commit`] undoes everything.
pub struct WriteTx(DatabaseTransaction);

impl WriteTx {
    /// Makes everything durable.
    ///
    /// # Errors
    /// When the database could not; then nothing of it happened.
    pub async fn commit(self) -> Result<(), DbErr> {
        self.0.commit().await
    }

    pub(crate) fn inner(&self) -> &DatabaseTransaction {
        &self.0
    }

    /// Holds off other transactions on `subject` until this one ends. On SQLite there is only one writer
    /// anyway.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn lock(&self, subject: Uid) -> Result<(), DbErr> {
        if self.0.get_database_backend() == DbBackend::Postgres {
            // The last eight bytes of a UUIDv7 are its random half.
            let (_, key) = subject.as_u64_pair();
            let statement = Statement::from_sql_and_values(
                DbBackend::Postgres,
                "SELECT pg_advisory_xact_lock($1)",
                [key.cast_signed().into()],
            );
            self.0.execute_raw(statement).await?;
        }
        Ok(())
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for WriteTx {
    fn get_database_backend(&self) -> DbBackend {
        self.0.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.0.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.0.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.0.query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.0.query_all_raw(statement).await
    }
}
