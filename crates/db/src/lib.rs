#![doc = include_str!("../README.md")]

mod among;
mod begin;
mod clock;
mod columns;
mod connect;
mod errors;
mod exclusive;
mod health;
mod latest;
mod migrate;
mod notices;
mod pages;
mod probe;
pub mod rows;
pub mod search;
mod snapshot;
mod stored;
mod subject_queue;
mod tx;

use std::sync::Arc;

use sea_orm::{DatabaseConnection, DbErr};

pub use among::among;
pub use clock::ClockDifference;
pub use columns::{empty_if_none, none_if_empty, set_if_some, set_nullable, set_text};
pub use connect::{ConnectError, ConnectOptions, Engine};
pub use errors::{Outage, is_unique_violation, outage};
pub use exclusive::ExclusiveLock;
pub use health::WriteHealth;
pub use latest::LatestFirst;
pub use migrate::{MigrateError, Migration, applied_at, applied_steps, index, is_new, migrate};
pub use notices::Notices;
pub use pages::{pause_after_page, remove_in_pages};
pub use snapshot::Snapshot;
pub use stored::{Stored, log_unreadable, unreadable};
pub use tx::{SubjectPart, WriteTx};

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

    /// Returns how many connections are in use for reads and for writes. SQLite has one for writes.
    pub fn busy_connections(&self) -> [usize; 2] {
        [&self.read, &self.write].map(|connection| {
            let (open, idle) = match self.engine {
                Engine::Sqlite => {
                    let pool = connection.get_sqlite_connection_pool();
                    (pool.size(), pool.num_idle())
                }
                Engine::Postgres => {
                    let pool = connection.get_postgres_connection_pool();
                    (pool.size(), pool.num_idle())
                }
            };
            (open as usize).saturating_sub(idle)
        })
    }

    /// Returns the outcome of this process's last write.
    pub fn write_health(&self) -> WriteHealth {
        self.failures.health()
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
