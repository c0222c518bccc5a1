//! Tracks whether the last write succeeded and which connections can still be trusted.

use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};

use crate::Outage;

/// Outcome of this process's last write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteHealth {
    /// The write was committed, or nothing was written yet.
    Good,
    /// The disk or the server rejected the write.
    Failed(Outage),
}

/// Record of the last failures, shared by all clones of a [`crate::Db`].
#[derive(Default)]
pub(crate) struct Failures(Mutex<Record>);

#[derive(Default)]
struct Record {
    /// Reason the last write failed; cleared by the next committed write.
    outage: Option<Outage>,
    /// Time of the last failed BEGIN or COMMIT.
    transaction_failed_at: Option<Instant>,
}

impl Failures {
    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock()
    }

    pub(crate) fn health(&self) -> WriteHealth {
        self.record().outage.map_or(WriteHealth::Good, WriteHealth::Failed)
    }

    /// Records that a write was committed.
    pub(crate) fn record_commit(&self) {
        self.record().outage = None;
    }

    /// Records that a write was rejected. `Busy` is ignored: a wait that timed out does not mean that writing
    /// is broken.
    pub(crate) fn record_outage(&self, outage: Outage) {
        if outage != Outage::Busy {
            self.record().outage = Some(outage);
        }
    }

    /// Records that BEGIN or COMMIT failed, which leaves the state of all connections open at that time
    /// unknown.
    pub(crate) fn record_failed_transaction(&self) {
        self.record().transaction_failed_at = Some(Instant::now());
    }

    /// Returns `true` if a connection of this age was opened after the last failure of BEGIN or COMMIT.
    pub(crate) fn trusts(&self, age: Duration) -> bool {
        self.record().transaction_failed_at.is_none_or(|at| age < at.elapsed())
    }
}
