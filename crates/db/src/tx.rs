//! Write transactions.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kernel::Uid;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use tokio::sync::OwnedMutexGuard;
use tracing::Span;

use crate::health::Failures;
use crate::outage;

/// A part of a subject that can be locked by itself, such as what one person does in an organisation. It is known by the
/// key of its lock; parts that share a key wait for each other, which is harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubjectPart(i64);

impl SubjectPart {
    /// Returns the part of `subject` that is about `other`.
    pub fn new(subject: impl Into<Uid>, other: impl Into<Uid>) -> Self {
        let mixed =
            mix(subject_key(subject.into()).cast_unsigned() ^ mix(subject_key(other.into()).cast_unsigned()));
        // The key of a subject begins with the bits 10, so no part has it.
        Self((mixed >> 1).cast_signed())
    }
}

/// Returns the key of a subject's lock. The last eight bytes of a UUIDv7 are its random part.
fn subject_key(subject: Uid) -> i64 {
    let (_, key) = subject.as_u64_pair();
    key.cast_signed()
}

/// Spreads similar numbers over all numbers (the finalizer of `SplitMix64`). Servers of all versions must agree on it.
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A write transaction. Dropping it without [`WriteTx::commit`] rolls it back.
///
/// After any error it can only be rolled back: SQLite may already have done so and would run later statements
/// outside the transaction; PostgreSQL would report success for COMMIT and keep nothing.
pub struct WriteTx {
    tx: DatabaseTransaction,
    failures: Arc<Failures>,
    has_failed: AtomicBool,
    /// Whether a statement changed a row. Only then does a successful commit show that writing works.
    has_written: AtomicBool,
    /// Lasts as long as the transaction, for those who follow requests.
    _span: Span,
    /// Declared last, so that it is released after the transaction has returned its connection.
    _queue_guard: Option<OwnedMutexGuard<()>>,
}

impl WriteTx {
    pub(crate) fn new(
        tx: DatabaseTransaction,
        failures: Arc<Failures>,
        queue_guard: Option<OwnedMutexGuard<()>>,
    ) -> Self {
        let (has_failed, has_written) = (AtomicBool::new(false), AtomicBool::new(false));
        let span = tracing::debug_span!("transaction");
        Self { tx, failures, has_failed, has_written, _span: span, _queue_guard: queue_guard }
    }

    /// Commits the transaction durably.
    ///
    /// # Errors
    /// Fails if the database cannot commit or an earlier statement failed. Then nothing was written.
    pub async fn commit(self) -> Result<(), DbErr> {
        self.check()?;
        match self.tx.commit().await {
            Ok(()) => {
                if self.has_written.load(Ordering::Relaxed) {
                    self.failures.record_commit();
                }
                Ok(())
            }
            Err(error) => {
                self.failures.record_failed_transaction();
                record_if_outage(&self.failures, &error);
                Err(error)
            }
        }
    }

    pub(crate) fn inner(&self) -> &DatabaseTransaction {
        &self.tx
    }

    /// Excludes other transactions on `subject` until this one ends. Does nothing on SQLite, which has only
    /// one writer.
    ///
    /// # Errors
    /// Fails if the database cannot be reached, or if another transaction holds the subject for more than 5
    /// s.
    pub async fn lock(&self, subject: impl Into<Uid>) -> Result<(), DbErr> {
        if self.tx.get_database_backend() == DbBackend::Postgres {
            let statement = Statement::from_sql_and_values(
                DbBackend::Postgres,
                "SELECT pg_advisory_xact_lock($1)",
                [subject_key(subject.into()).into()],
            );
            self.check()?;
            self.record_error(self.tx.execute_raw(statement).await)?;
        }
        Ok(())
    }

    /// Lets others share these subjects with this transaction, and excludes them from these parts of subjects, until this
    /// one ends. A transaction that has locked a whole subject with [`Self::lock`] excludes both. One statement takes all
    /// locks: first those of the subjects, then those of the parts, each in their order. Does nothing on SQLite, which has
    /// only one writer.
    ///
    /// # Errors
    /// Fails if the database cannot be reached, or if another transaction holds one of them for more than 5 s.
    pub async fn share(&self, subjects: &BTreeSet<Uid>, parts: &BTreeSet<SubjectPart>) -> Result<(), DbErr> {
        if self.tx.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        let subjects = subjects.iter().map(|subject| (subject_key(*subject), true));
        // Two parts may have the same key.
        let parts: BTreeSet<i64> = parts.iter().map(|part| part.0).collect();
        let (keys, are_shared): (Vec<i64>, Vec<bool>) =
            subjects.chain(parts.into_iter().map(|key| (key, false))).unzip();
        let statement = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "SELECT CASE WHEN is_shared THEN pg_advisory_xact_lock_shared(key) ELSE pg_advisory_xact_lock(key) END \
             FROM unnest($1::bigint[], $2::boolean[]) AS locks (key, is_shared)",
            [keys.into(), are_shared.into()],
        );
        self.check()?;
        self.record_error(self.tx.execute_raw(statement).await).map(drop)
    }

    fn check(&self) -> Result<(), DbErr> {
        if self.has_failed.load(Ordering::Relaxed) {
            return Err(DbErr::Custom("an earlier statement of this transaction failed".to_owned()));
        }
        Ok(())
    }

    fn record_error<T>(&self, outcome: Result<T, DbErr>) -> Result<T, DbErr> {
        outcome.inspect_err(|error| {
            self.has_failed.store(true, Ordering::Relaxed);
            record_if_outage(&self.failures, error);
        })
    }

    fn note_written(&self, has_written: bool) {
        if has_written {
            self.has_written.store(true, Ordering::Relaxed);
        }
    }
}

/// Records an error that is an outage of the database rather than a fault of the statement.
pub(crate) fn record_if_outage(failures: &Failures, error: &DbErr) {
    if let Some(outage) = outage(error) {
        failures.record_outage(outage);
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for WriteTx {
    fn get_database_backend(&self) -> DbBackend {
        self.tx.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.check()?;
        let result = self.record_error(self.tx.execute_raw(statement).await)?;
        self.note_written(result.rows_affected() > 0);
        Ok(result)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.check()?;
        self.record_error(self.tx.execute_unprepared(sql).await)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.check()?;
        let returns = statement.sql.contains("RETURNING");
        let row = self.record_error(self.tx.query_one_raw(statement).await)?;
        self.note_written(returns && row.is_some());
        Ok(row)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.check()?;
        let returns = statement.sql.contains("RETURNING");
        let rows = self.record_error(self.tx.query_all_raw(statement).await)?;
        self.note_written(returns && !rows.is_empty());
        Ok(rows)
    }
}
