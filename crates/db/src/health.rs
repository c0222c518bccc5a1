//! How writing went last, and which connections are trusted because of it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::Outage;

/// How the last write of this process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteHealth {
    /// It was kept, or none was tried yet.
    Good,
    /// The disk or the server refused it.
    Failed(Outage),
}

/// Remembers the last failures. Shared by all clones of a [`crate::Db`].
#[derive(Default)]
pub(crate) struct Failures(Mutex<Record>);

#[derive(Default)]
struct Record {
    /// Why the last write failed, until one is kept again.
    outage: Option<Outage>,
    /// When a transaction last failed to begin or to commit.
    broke_at: Option<Instant>,
}

impl Failures {
    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn health(&self) -> WriteHealth {
        self.record().outage.map_or(WriteHealth::Good, WriteHealth::Failed)
    }

    /// Notes that a write was kept.
    pub(crate) fn kept(&self) {
        self.record().outage = None;
    }

    /// Notes that a write was refused. A wait that took too long says nothing about the database.
    pub(crate) fn refused(&self, outage: Outage) {
        if outage != Outage::Busy {
            self.record().outage = Some(outage);
        }
    }

    /// Notes that BEGIN or COMMIT failed: what state the connections of that time are in is unknown.
    pub(crate) fn broke(&self) {
        self.record().broke_at = Some(Instant::now());
    }

    /// Returns `true` if a connection of this age was opened after the last failure of BEGIN or COMMIT.
    pub(crate) fn trusts(&self, age: Duration) -> bool {
        self.record().broke_at.is_none_or(|at| age < at.elapsed())
    }
}
