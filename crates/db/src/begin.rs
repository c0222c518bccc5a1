//! Begins write transactions.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use kernel::Uid;
use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, TransactionOptions,
    TransactionTrait as _,
};
use tokio::sync::OwnedMutexGuard;
use tracing::Instrument as _;

use crate::{Db, Engine, SubjectPart, WriteTx, tx};

impl Db {
    /// Begins a write transaction.
    ///
    /// # Errors
    /// Fails if the database cannot be reached.
    pub async fn write_tx(&self) -> Result<WriteTx, DbErr> {
        waiting(self.begin(None)).await
    }

    /// Begins a write transaction that excludes every other one on the same subject (an organisation, a
    /// billing account, a person) until it ends.
    ///
    /// # Errors
    /// Fails if the database cannot be reached, or if another transaction holds the subject for more than 5
    /// s.
    pub async fn write_tx_on(&self, subject: impl Into<Uid>) -> Result<WriteTx, DbErr> {
        let subject = subject.into();
        waiting(async {
            let tx = self.begin_queued(subject).await?;
            tx.lock(subject).await?;
            Ok(tx)
        })
        .await
    }

    /// Begins a write transaction that excludes every other one on a part of a subject, and shares the subject as
    /// [`WriteTx::share`] does. Those of this process on the same subject still come one after the other, so that they
    /// take no more than one connection while another transaction holds it.
    ///
    /// # Errors
    /// Those of [`Self::write_tx_on`].
    pub async fn write_tx_on_part(
        &self,
        subject: impl Into<Uid>,
        part: SubjectPart,
    ) -> Result<WriteTx, DbErr> {
        let subject = subject.into();
        waiting(async {
            let tx = self.begin_queued(subject).await?;
            tx.share(&BTreeSet::from([subject]), &BTreeSet::from([part])).await?;
            Ok(tx)
        })
        .await
    }

    /// Begins once no other transaction of this process waits for the subject or holds it.
    async fn begin_queued(&self, subject: Uid) -> Result<WriteTx, DbErr> {
        let queue_guard = match self.engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(self.queues.wait(subject).await?),
        };
        self.begin(queue_guard).await
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
}

/// Measures how long a write transaction waits for the writer or a connection, and for its subject.
async fn waiting(begin: impl Future<Output = Result<WriteTx, DbErr>>) -> Result<WriteTx, DbErr> {
    let began = Instant::now();
    let result = begin.instrument(tracing::debug_span!("wait for transaction")).await;
    metrics::histogram!("vitrine_transaction_wait_seconds").record(began.elapsed().as_secs_f64());
    result
}

async fn begin(connection: DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}
